import { escapeLooseAmpersands } from './typography/ampersands.ts';
import { autop } from './typography/autop.ts';
import { balanceTags } from './markup/balance-tags.ts';
import { capitalP } from './title.ts';
import { renderCaption } from './captioned-image.ts';
import { makeClickable } from './typography/clickable.ts';
import { embedPosts } from './embeds.ts';
import { renderGallery } from './gallery.ts';
import { replaceShortcodes, unwrapShortcodes } from './markup/shortcodes.ts';
import { showSmilies } from './smilies.ts';
import { NOWHERE, type RenderContext, type RenderSettings } from './render-context.ts';
import { texturize } from './typography/texturize.ts';

/** The content of a post as HTML, from what its author wrote. */
export function renderContent(raw: string, settings: RenderSettings, renderContext: RenderContext = NOWHERE): string {
  const paragraphs = capitalP(unwrapShortcodes(autop(texturize(embedPosts(raw, renderContext)))));
  return showSmilies(expandShortcodes(paragraphs, renderContext), settings);
}

/** The text of a comment as HTML: typography, links and paragraphs made, and no element left open. */
export function renderComment(raw: string, settings: RenderSettings): string {
  const typeset = escapeLooseAmpersands(texturize(makeClickable(raw)));
  return capitalP(autop(balanceTags(showSmilies(typeset, settings))));
}

/** Puts galleries and captions in the place of their shortcodes; others stay as they are. */
export function expandShortcodes(html: string, renderContext: RenderContext = NOWHERE): string {
  return replaceShortcodes(html, (shortcode) => {
    if (shortcode.name === 'gallery') return renderGallery(shortcode.attributes, renderContext);
    if (shortcode.name === 'caption' || shortcode.name === 'wp_caption') return renderCaption(shortcode);
    return html.slice(shortcode.start, shortcode.end);
  });
}
