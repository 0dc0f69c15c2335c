import type { ImageSizeName } from '../../models/site-settings.ts';
import { escapeAttribute } from '../../rendering/markup/escape-markup.ts';
import { plainText } from '../../rendering/plain-text.ts';

import { type Dimensions, fitted, hasSameShape, IMAGE_SIZES } from './image-dimensions.ts';
import {
  detailsOf,
  imageDimensions,
  isImage,
  type MediaItem,
  sizeUrl,
  sourceUrl,
  type StoredSize,
} from './media-details.ts';

/** Widest copy that a browser is offered, in pixels. */
const MAX_OFFERED_WIDTH = 1600;

/** Fields from which the markup of an attachment is built. */
export type ShownMedia = MediaItem & { readonly title: string; readonly alt_text: string };

/** The paragraph that shows an attachment, above its description: the image of medium size or its title, and a link. */
export function attachmentParagraph(item: ShownMedia, site: string): string {
  const url = sourceUrl(item, site);
  const fileName = url.slice(url.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const text = isImage(item) ? imageElement(item, 'medium', site) : item.title.trim() === '' ? fileName : item.title;
  return `<p class="attachment"><a href='${escapeAttribute(url)}'>${text}</a></p>`;
}

/**
 * The `img` element that shows an image at a size, by its copy of that size if there is one.
 *
 * @param further attributes beside those that every image has
 * @param sizes widths at which a page shows it, as the attribute of that name lists them; its own width by default
 */
export function imageElement(
  item: ShownMedia,
  size: string,
  site: string,
  further: Readonly<Record<string, string>> = {},
  sizes?: string,
): string {
  const copies: Readonly<Record<string, StoredSize>> = detailsOf(item).sizes ?? {};
  const copy = Object.hasOwn(copies, size) ? copies[size] : undefined;
  const src = copy ? sizeUrl(item, copy, site) : sourceUrl(item, site);
  const box: Dimensions = Object.hasOwn(IMAGE_SIZES, size)
    ? IMAGE_SIZES[size as ImageSizeName]
    : { width: 0, height: 0 };
  const { width, height } = fitted(copy ?? imageDimensions(item), box);
  const offer = offeredCopies(item, src, { width, height }, site);
  const attributes = {
    width,
    height,
    src,
    class: `attachment-${size} size-${size}`,
    alt: plainText(item.alt_text),
    ...further,
    ...(offer && { ...offer, sizes: sizes ?? offer.sizes }),
  };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escapeAttribute(String(value))}"`);
  return `<img ${written.join(' ')} />`;
}

/** Attributes that offer the copies of an image to browsers; null unless there are two of the same shape. */
export function offeredCopies(
  item: MediaItem,
  src: string,
  shown: Dimensions,
  site: string,
): { readonly srcset: string; readonly sizes: string } | null {
  const srcset = sourceSet(item, src, shown, site);
  return srcset === null ? null : { srcset, sizes: `(max-width: ${shown.width}px) 100vw, ${shown.width}px` };
}

/** The copies of the same shape by their widths, the one shown first; null unless there are two. */
function sourceSet(item: MediaItem, src: string, shown: { width: number; height: number }, site: string) {
  const { sizes = {} } = detailsOf(item);
  const copies = Object.entries(sizes).filter(([name]) => name !== 'full');
  if (copies.length === 0) return null;
  const all = [
    ...copies.map(([, size]) => ({ ...size, url: sizeUrl(item, size, site) })),
    { ...imageDimensions(item), url: sourceUrl(item, site) },
  ];
  const offered = all.filter(
    (copy) => hasSameShape(shown, copy) && (copy.width <= MAX_OFFERED_WIDTH || copy.url === src),
  );
  const byWidth = new Map(offered.map(({ width, url }) => [width, url]));
  if (byWidth.size < 2 || !offered.some(({ url }) => url === src)) return null;
  const isShown = ([, url]: readonly [number, string]) => url === src;
  const inOrder = [...[...byWidth].filter(isShown), ...[...byWidth].filter((entry) => !isShown(entry))];
  return inOrder.map(([width, url]) => `${url} ${width}w`).join(', ');
}
