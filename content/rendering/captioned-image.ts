import { escapeAttribute } from './markup/escape-markup.ts';
import { sanitizeHtml } from './markup/sanitize-html.ts';
import { type Shortcode, shortcodeAttributes } from './markup/shortcodes.ts';

const IMAGE = /(?:<a [^<>]+>\s*)?<img [^<>]+>(?:\s*<\/a>)?/i;

/** Width that the frame adds to the image, in pixels. */
const BORDER = 10;

/** An image with its caption, as the shortcode `caption` has them in its content. Without a width or a caption it is the content. */
export function renderCaption({ attributes: source, content = '' }: Shortcode): string {
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
