import { ContentItemStore, type StoredItem } from '../models/content-item.ts';
import { ATTACHMENT } from '../schema/kinds/content-kinds.ts';
import type { ContentContext } from '../access/content-context.ts';
import { itemByUrl } from './item-by-url.ts';
import { imageElement } from '../media/files/image-markup.ts';
import { imageDimensions, sourceUrl } from '../media/files/media-details.ts';
import { type FindParent, permalinkOf } from '../access/permalink.ts';
import type { SelectedFields } from '../access/root-field.ts';
import { isRemembered, referencesOf } from '../rendering/remembered.ts';
import type { EmbeddedPost, GalleryImage, RenderContext, RenderSettings } from '../rendering/render-context.ts';
import { renderTitle } from '../rendering/title.ts';

import { unread } from './item-extras.ts';

/** Settings and records for rendering the texts of some items. */
export interface Rendering {
  readonly settings: RenderSettings;
  /** Returns the records that the content of an item refers to. */
  readonly contextOf: (item: Pick<StoredItem, 'id'>) => RenderContext;
}

/** Fields that may show objects to which the content refers, with the texts from which each is rendered. */
export const RENDERED_TEXTS: Readonly<Record<'content' | 'excerpt', (item: StoredItem) => readonly string[]>> = {
  content: ({ content }) => ['content', content],
  excerpt: ({ excerpt, content }) => ['excerpt', excerpt, content],
};

/** Returns true if a selected field is derived from the stored content and excerpt of an item. */
export function hasTexts(selected: SelectedFields): boolean {
  return ['content', 'excerpt', 'description', 'caption'].some((name) => selected.has(name));
}

/** Result if no text is selected. */
const UNREAD: Rendering = {
  get settings() {
    return unread();
  },
  contextOf: unread,
};

/**
 * Looks up what the contents of some items refer to: the images of galleries, in one query for all items, and the posts
 * of this website whose addresses stand alone. Items that refer to nothing cost no query, nor are those looked at of which
 * all selected texts were rendered before.
 */
export async function loadRendering(
  items: readonly StoredItem[],
  context: ContentContext,
  selected: SelectedFields,
): Promise<Rendering> {
  if (items.length === 0 || !hasTexts(selected)) return UNREAD;
  const { use_smilies: smilies, title } = await context.settings();
  const settings = { smilies, siteUrl: context.site };
  const textsOf = (['content', 'excerpt'] as const)
    .filter((name) => selected.has(name))
    .map((name) => RENDERED_TEXTS[name]);
  const references = items
    .filter((item) => !textsOf.every((texts) => isRemembered(settings, texts(item))))
    .map((item) => referencesOf(item.content, item.id));
  const [images, posts] = await Promise.all([
    loadImages(
      references.flatMap((reference) => reference.images),
      references.flatMap((reference) => reference.imagesOn),
      context,
    ),
    loadPosts(
      references.flatMap(({ addresses }) => addresses),
      context,
    ),
  ]);
  let galleries = 0;
  const contextOf = ({ id }: Pick<StoredItem, 'id'>): RenderContext => ({
    postId: id,
    siteName: title ?? '',
    imageOf: (wanted) => images.find((image) => image.id === wanted)?.image,
    imagesOn: (post) => images.filter(({ parent }) => parent === post).map(({ image }) => image),
    postAt: (address) => posts.get(address),
    nextGallery: () => {
      galleries += 1;
      return galleries;
    },
  });
  return { settings, contextOf };
}

async function loadImages(
  ids: readonly number[],
  parents: readonly number[],
  { service, site }: ContentContext,
): Promise<{ id: number; parent: number; image: GalleryImage }[]> {
  if (ids.length === 0 && parents.length === 0) return [];
  const found = await ContentItemStore.find(service, {
    type: ATTACHMENT.type,
    mime_type: /^image\//,
    $or: [{ id: { $in: [...ids] } }, { parent: { $in: [...parents] } }],
  }).sort({ menu_order: 1, id: 1 });
  const above = await ContentItemStore.find(service, { id: { $in: found.map(({ parent }) => parent) } });
  const parentOf: FindParent = (id) => above.find((item) => item.id === id);
  return found.map((item) => ({ id: item.id, parent: item.parent, image: imageOf(item, site, parentOf) }));
}

function imageOf(item: StoredItem, site: string, parentOf: FindParent): GalleryImage {
  const { width, height } = imageDimensions(item);
  return {
    id: item.id,
    link: permalinkOf(item, site, parentOf),
    file: sourceUrl(item, site),
    ...(width > 0 && height > 0 ? { width, height } : {}),
    caption: item.excerpt,
    element: (size, attributes) => imageElement(item, size, site, attributes),
  };
}

async function loadPosts(
  addresses: readonly string[],
  { service, site }: ContentContext,
): Promise<Map<string, EmbeddedPost>> {
  const own = [...new Set(addresses)].filter((address) => address.startsWith(`${site}/`));
  const found = await Promise.all(
    own.map(async (address) => [address, await itemByUrl(service, address, site)] as const),
  );
  return new Map(
    found.flatMap(([address, item]) =>
      item?.status === 'publish' ? [[address, { link: address, title: renderTitle(item.title) }]] : [],
    ),
  );
}
