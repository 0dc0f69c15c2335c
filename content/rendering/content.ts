import { autop } from './typography/autop.ts';
import { withoutBlockMarks } from './markup/block-marks.ts';
import { balanceTags } from './markup/balance-tags.ts';
import { capitalP } from './title.ts';
import { makeClickable } from './typography/links.ts';
import { embedPosts } from './embeds.ts';
import { renderGallery } from './gallery.ts';
import { replaceShortcodes, type Shortcode, shortcodeAttributes, unwrapShortcodes } from './markup/shortcodes.ts';
import { showSmilies } from './smilies.ts';
import { NOWHERE, type RenderContext, type RenderSettings } from './render-context.ts';
import { texturize, escapeLooseAmpersands } from './typography/texturize.ts';
import { escapeAttribute } from './markup/escape-markup.ts';
import { sanitizeHtml } from './markup/sanitize-html.ts';

const IMAGE = /(?:<a [^<>]+>\s*)?<img [^<>]+>(?:\s*<\/a>)?/i;

/** Width that the frame adds to the image, in pixels. */
const BORDER = 10;

/** An image with its caption, from the content of the shortcode `caption`. Without a width or a caption it is the content. */
function renderCaption({ attributes: source, content = '' }: Shortcode): string {
  const attributes = shortcodeAttributes(source);
  const attribute = attributes.get('caption');
  const found = attribute === undefined ? IMAGE.exec(content) : null;
  const image = found ? found[0] : content;
  const caption = found ? content.slice(found.index + image.length).trim() : sanitizeHtml(attribute ?? '', 'post');
  const width = Number.parseInt(attributes.get('width') ?? '', 10) || 0;
  if (width < 1 || caption === '') return image;
  const id = (attributes.get('id') ?? '').replace(/%[a-fA-F0-9]{2}|[^\w-]/g, '');
  const classes = `wp-caption ${attributes.get('align') ?? 'alignnone'} ${attributes.get('class') ?? ''}`.trim();
  return (
    `<div ${id === '' ? '' : `id="${id}" `}style="width: ${width + BORDER}px" class="${escapeAttribute(classes)}">` +
    `${image}<p class="wp-caption-text">${caption}</p></div>`
  );
}

/** The content of a post as HTML, from its source. Blocks of WordPress's editor have their paragraphs already. */
export function renderContent(raw: string, settings: RenderSettings, renderContext: RenderContext = NOWHERE): string {
  const source = embedPosts(raw, renderContext);
  const blocks = withoutBlockMarks(source);
  const paragraphs = capitalP(unwrapShortcodes(blocks === null ? autop(texturize(source)) : texturize(blocks)));
  return showSmilies(expandShortcodes(paragraphs, renderContext), settings);
}

/** The text of a comment as HTML, with typography, links and paragraphs, and without unclosed elements. */
export function renderComment(raw: string, settings: RenderSettings): string {
  const typeset = escapeLooseAmpersands(texturize(makeClickable(raw)));
  return capitalP(autop(balanceTags(showSmilies(typeset, settings))));
}

/** Replaces the shortcodes of galleries and captions; others stay unchanged. */
export function expandShortcodes(html: string, renderContext: RenderContext = NOWHERE): string {
  return replaceShortcodes(html, (shortcode) => {
    if (shortcode.name === 'gallery') return renderGallery(shortcode.attributes, renderContext);
    if (shortcode.name === 'caption' || shortcode.name === 'wp_caption') return renderCaption(shortcode);
    return html.slice(shortcode.start, shortcode.end);
  });
}
