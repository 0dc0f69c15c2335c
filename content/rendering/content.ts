import { autop } from './typography/autop.ts';
import { capitalP } from './typography/capital-p.ts';
import { renderCaption } from './captioned-image.ts';
import { embedPosts } from './embeds.ts';
import { renderGallery } from './gallery.ts';
import type { RenderSettings } from './render-settings.ts';
import { replaceShortcodes } from './markup/shortcodes.ts';
import { showSmilies } from './smilies.ts';
import { NOWHERE, type Surroundings } from './surroundings.ts';
import { texturize } from './typography/texturize.ts';
import { unwrapShortcodes } from './unwrap-shortcodes.ts';

/** The content of a post as HTML, from what its author wrote. */
export function renderContent(raw: string, settings: RenderSettings, surroundings: Surroundings = NOWHERE): string {
  const paragraphs = capitalP(unwrapShortcodes(autop(texturize(embedPosts(raw, surroundings)))));
  return showSmilies(expandShortcodes(paragraphs, surroundings), settings);
}

function expandShortcodes(html: string, surroundings: Surroundings): string {
  return replaceShortcodes(html, (shortcode) => {
    if (shortcode.name === 'gallery') return renderGallery(shortcode.attributes, surroundings);
    if (shortcode.name === 'caption' || shortcode.name === 'wp_caption') return renderCaption(shortcode);
    return html.slice(shortcode.start, shortcode.end);
  });
}
