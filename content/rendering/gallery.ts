import { ALLOWED_HTML } from './markup/allowed-html.ts';
import { shortcodeAttributes } from './markup/shortcodes.ts';
import type { GalleryImage, RenderContext } from './render-context.ts';
import { texturize } from './typography/texturize.ts';
import { trimAscii } from './markup/white-space.ts';

/** A gallery as HTML: of the images that the shortcode names, or of those attached to the post; empty if there are none. */
export function renderGallery(source: string, renderContext: RenderContext): string {
  const attributes = shortcodeAttributes(source);
  const number = renderContext.nextGallery();
  const images = galleryImages(attributes, renderContext);
  if (images.length === 0) return '';
  const selector = `gallery-${number}`;
  const columns = integer(attributes.get('columns') ?? '3');
  const post = integer(attributes.get('id') ?? String(renderContext.postId));
  const size = attributes.get('size') ?? 'thumbnail';
  const classes = `gallery galleryid-${post} gallery-columns-${columns} gallery-size-${size.replace(/[^\w-]/g, '')}`;
  const items = images.map((image, index) => {
    const endsRow = columns > 0 && (index + 1) % columns === 0;
    return galleryItem(image, selector, attributes) + (endsRow ? '<br style="clear: both" />' : '');
  });
  const isRowOpen = columns > 0 && images.length % columns !== 0;
  const end = isRowOpen ? "\n\t\t\t<br style='clear: both' />" : '';
  return `${styleOf(selector, columns)}<div id='${selector}' class='${classes}'>${items.join('')}${end}\n\t\t</div>\n`;
}

/** The ids of images that a gallery names. */
export function galleryIds(attributes: ReadonlyMap<string, string>): number[] {
  const ids = attributes.get('ids') || attributes.get('include') || '';
  return ids
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((id) => Math.abs(integer(id)));
}

function galleryImages(
  attributes: ReadonlyMap<string, string>,
  { postId, imageOf, imagesOn }: RenderContext,
): GalleryImage[] {
  const named = galleryIds(attributes);
  const excluded = new Set((attributes.get('exclude') ?? '').split(/[\s,]+/).map(integer));
  const isNamed = named.length > 0;
  const images = isNamed
    ? named.map(imageOf).filter((image) => image !== undefined)
    : imagesOn(integer(attributes.get('id') ?? String(postId))).filter(({ id }) => !excluded.has(id));
  const sorted =
    attributes.get('orderby')?.toUpperCase() === 'ID'
      ? [...images].sort((one, other) => one.id - other.id)
      : [...images];
  const isAsNamed = isNamed && !attributes.get('orderby');
  return attributes.get('order')?.toUpperCase() === 'DESC' && !isAsNamed ? sorted.reverse() : sorted;
}

function galleryItem(image: GalleryImage, selector: string, attributes: ReadonlyMap<string, string>): string {
  const item = element(attributes.get('itemtag'), 'dl');
  const icon = element(attributes.get('icontag'), 'dt');
  const captionElement = element(attributes.get('captiontag'), 'dd');
  const caption = trimAscii(image.caption);
  const id = `${selector}-${image.id}`;
  const picture = image.element(
    attributes.get('size') ?? 'thumbnail',
    caption === '' ? {} : { 'aria-describedby': id },
  );
  const target = { none: undefined, file: image.file }[attributes.get('link') ?? ''] ?? image.link;
  const linked = attributes.get('link') === 'none' ? picture : `<a href='${target}'>${picture}</a>`;
  const shown = `\n\t\t\t<${icon} class='gallery-icon ${orientation(image)}'>\n\t\t\t\t${linked}\n\t\t\t</${icon}>`;
  const captioned = `\n\t\t\t\t<${captionElement} class='wp-caption-text gallery-caption' id='${id}'>\n\t\t\t\t${texturize(image.caption)}\n\t\t\t\t</${captionElement}>`;
  return `<${item} class='gallery-item'>${shown}${caption === '' ? '' : captioned}</${item}>`;
}

function orientation({ width, height }: GalleryImage): string {
  if (width === undefined || height === undefined) return '';
  return height > width ? 'portrait' : 'landscape';
}

function element(wanted: string | undefined, otherwise: string): string {
  return wanted && ALLOWED_HTML.post.has(wanted.toLowerCase()) ? wanted.toLowerCase() : otherwise;
}

function styleOf(selector: string, columns: number): string {
  const width = columns > 0 ? Math.floor(100 / columns) : 100;
  return `
		<style type='text/css'>
			#${selector} {
				margin: auto;
			}
			#${selector} .gallery-item {
				float: left;
				margin-top: 10px;
				text-align: center;
				width: ${width}%;
			}
			#${selector} img {
				border: 2px solid #cfcfcf;
			}
			#${selector} .gallery-caption {
				margin-left: 0;
			}
			/* see gallery_shortcode() in wp-includes/media.php */
		</style>
		`;
}

function integer(text: string): number {
  return Number.parseInt(text, 10) || 0;
}
