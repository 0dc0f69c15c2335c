import { ContentItemStore, type StoredItem } from '../../models/content-item.ts';
import type { ContentContext } from '../../access/content-context.ts';
import { offeredCopies } from '../../media/files/image-markup.ts';
import { ATTACHMENT } from '../../schema/kinds/content-kinds.ts';
import { escapeAttribute } from '../../rendering/markup/escape-markup.ts';

const IMAGE = /<img\b(?:"[^"]*"|'[^']*'|[^'">])*>/g;
const NUMBER = /\bclass="[^"]*\bwp-image-([1-9]\d{0,14})\b/;

/**
 * Lets browsers choose among the copies of uploaded images in an article, as WordPress does: images with the class
 * `wp-image-7` and their dimensions get `srcset` and `sizes`. One query where there are such images.
 */
export async function offerCopies(content: string, { service, site }: ContentContext): Promise<string> {
  const ids = [...content.matchAll(IMAGE)].flatMap(([tag]) => numberIn(tag) ?? []);
  if (ids.length === 0) return content;
  const found = await ContentItemStore.find(service, { id: { $in: ids }, type: ATTACHMENT.type }, { _id: 0 });
  const images = new Map(found.map((image) => [image.id, image]));
  return content.replace(IMAGE, (tag) => {
    const image = images.get(numberIn(tag) ?? 0);
    return image === undefined ? tag : withCopies(tag, image, site);
  });
}

/** The number of the upload that an element shows, if it offers no copies yet. */
function numberIn(tag: string): number | undefined {
  const [, number] = NUMBER.exec(tag) ?? [];
  return number === undefined || /\ssrcset=/.test(tag) ? undefined : Number(number);
}

function withCopies(tag: string, image: StoredItem, site: string): string {
  const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  const shown = { width: Number(attribute('width')), height: Number(attribute('height')) };
  const offer = shown.width > 0 && shown.height > 0 ? offeredCopies(image, attribute('src'), shown, site) : null;
  if (offer === null) return tag;
  return tag.replace(/\s*\/?>$/, ` srcset="${escapeAttribute(offer.srcset)}" sizes="${offer.sizes}" />`);
}
