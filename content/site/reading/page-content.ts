import { offeredCopies } from '../../media/files/image-markup.ts';
import { ContentItemStore, type StoredItem } from '../../models/content-item.ts';
import type { ContentContext } from '../../access/content-context.ts';
import { ATTACHMENT } from '../../schema/kinds/content-kinds.ts';
import { escapeAttribute } from '../../rendering/markup/escape-markup.ts';

const IMAGE = /<img\b(?:"[^"]*"|'[^']*'|[^'">])*>/g;
const NUMBER = /\bclass="[^"]*\bwp-image-([1-9]\d{0,14})\b/;

/** Styles in rendered content that WordPress's themes need; the policy of the page refuses them, and its sheets replace them. */
const REFUSED = [
  / style="width: \d+px"(?= class="wp-caption)/g,
  /\s*<style type='text\/css'>[^<]*<\/style>\s*/g,
  /<br style=(["'])clear: both\1 \/>/g,
];
/** An image of a gallery, in WordPress a list of definitions that may define nothing. */
const GALLERY_ITEM = /<dl class='gallery-item'>.*?<\/dl>/gs;
/** Elements that scroll sideways if they are too wide, which must be reachable by the keyboard. */
const SCROLLING = /<(?:pre|table)(?=[\s>])(?![^>]*\stabindex=)/g;

/** The content of an article as its page shows it, from that of the content interface. */
export async function pageContent(content: string, context: ContentContext): Promise<string> {
  const allowed = REFUSED.reduce((text, style) => text.replace(style, ''), content).replace(GALLERY_ITEM, (item) =>
    item.replace(/(?<=<\/?)d[ldt](?=[\s>])/g, 'div'),
  );
  return (await offerCopies(allowed, context)).replace(SCROLLING, '$& tabindex="0"');
}

/**
 * Lets browsers choose among the copies of uploaded images in an article, as WordPress does: images with the class
 * `wp-image-7` and their dimensions get `srcset` and `sizes`. One query if there are such images.
 */
async function offerCopies(content: string, { service, site }: ContentContext): Promise<string> {
  const ids = [...content.matchAll(IMAGE)].flatMap(([tag]) => numberIn(tag) ?? []);
  if (ids.length === 0) return content;
  const found = await ContentItemStore.find(service, { id: { $in: ids }, type: ATTACHMENT.type }, { _id: 0 });
  const images = new Map(found.map((image) => [image.id, image]));
  return content.replace(IMAGE, (tag) => {
    const image = images.get(numberIn(tag) ?? 0);
    return image === undefined ? tag : withCopies(tag, image, site);
  });
}

/** The number of the upload that an element shows, unless it already offers copies. */
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
