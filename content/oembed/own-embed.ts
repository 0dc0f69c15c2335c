import { ContentItemStore, type StoredItem } from '../models/content-item.ts';
import { WebsiteUserStore } from '../models/website-user.ts';
import { ATTACHMENT, kindOf } from '../schema/kinds/content-kinds.ts';
import type { ContentContext } from '../access/content-context.ts';
import { itemByUrl } from '../items/item-by-url.ts';
import { loadParents } from '../items/item-extras.ts';
import { fitted } from '../media/files/image-dimensions.ts';
import { imageDimensions, isImage, sourceUrl } from '../media/files/media-details.ts';
import { permalinkOf } from '../access/permalink.ts';
import { renderTitle } from '../rendering/title.ts';

import { embedMarkup } from './embed-markup.ts';
import type { Service } from '../../models/store/service.ts';

/** Narrowest and widest frame, in pixels. */
const MIN_WIDTH = 200;
const MAX_WIDTH = 600;

/** Description of an item of this website for embedding. Fields: the oEmbed specification, section 2.3.4. */
export type OwnEmbed = Readonly<Record<string, string | number>>;

/** Describes the post, page or attachment at an address for embedding; null if nothing public is there. */
export async function ownEmbed(url: string, maxwidth: number, context: ContentContext): Promise<OwnEmbed | null> {
  const item = await publishedByUrl(context.service, url, context.site);
  return item && describe(item, maxwidth, context);
}

/** The item at an address if it is published, or attached to a published item or to none. */
export async function publishedByUrl(service: Service, url: string, site: string): Promise<StoredItem | null> {
  const item = await itemByUrl(service, url, site);
  if (item === null || item.status === 'publish') return item;
  if (!kindOf(item.type)?.isUploaded || item.status !== 'inherit') return null;
  const parent = item.parent === 0 ? null : await ContentItemStore.findOne(service, { id: item.parent }, { status: 1 });
  return parent === null || parent.status === 'publish' ? item : null;
}

/** The title of an item as HTML; a password-protected one is marked. */
function embedTitle({ title, password }: Pick<StoredItem, 'title' | 'password'>): string {
  return `${password === '' ? '' : 'Protected: '}${renderTitle(title)}`;
}

async function describe(item: StoredItem, maxwidth: number, context: ContentContext): Promise<OwnEmbed> {
  const { site } = context;
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, maxwidth));
  const height = Math.max(MIN_WIDTH, Math.ceil((width / 16) * 9));
  const [settings, { parentOf }, author, thumbnail] = await Promise.all([
    context.settings(),
    loadParents(context.service, [item]),
    WebsiteUserStore.findOne(context.service, { id: item.author }, { name: 1, slug: 1 }),
    thumbnailOf(context.service, item),
  ]);
  const siteName = settings.title ?? '';
  const link = permalinkOf(item, site, parentOf);
  return {
    version: '1.0',
    provider_name: siteName,
    provider_url: site,
    author_name: author?.name ?? siteName,
    author_url: author ? `${site}/author/${author.slug}/` : site,
    title: item.title,
    type: item.mime_type.startsWith('video/') ? 'video' : 'rich',
    width,
    height,
    html: embedMarkup({ link, title: embedTitle(item), siteName, width, height }),
    ...(thumbnail && thumbnailFields(thumbnail, width, site)),
  };
}

/** The featured image of a post or page, or an image itself. */
async function thumbnailOf(service: Service, item: StoredItem): Promise<StoredItem | null> {
  if (isImage(item)) return item;
  if (item.featured_media === 0) return null;
  return ContentItemStore.findOne(service, { id: item.featured_media, type: ATTACHMENT.type });
}

function thumbnailFields(image: StoredItem, maxwidth: number, site: string): OwnEmbed {
  const { width, height } = fitted(imageDimensions(image), { width: maxwidth, height: 99_999 });
  return { thumbnail_url: sourceUrl(image, site), thumbnail_width: width, thumbnail_height: height };
}
