import { embeddedAddresses } from './embeds.ts';
import { galleryIds } from './gallery.ts';
import { shortcodeAttributes, shortcodesOf } from './markup/shortcodes.ts';

/** Objects that must be looked up before a content can be rendered. */
export interface References {
  /** Ids of images. */
  readonly images: readonly number[];
  /** Ids of posts whose images are wanted, all of them. */
  readonly imagesOn: readonly number[];
  /** Addresses that may be those of posts. */
  readonly addresses: readonly string[];
}

/** Finds the references in a content (raw) of the post `postId`. */
export function referencesOf(raw: string, postId: number): References {
  const galleries = shortcodesOf(raw)
    .filter(({ name }) => name === 'gallery')
    .map(({ attributes }) => shortcodeAttributes(attributes));
  const unnamed = galleries.filter((attributes) => galleryIds(attributes).length === 0);
  return {
    images: galleries.flatMap(galleryIds),
    imagesOn: unnamed.map((attributes) => Number.parseInt(attributes.get('id') ?? '', 10) || postId),
    addresses: /https?:\/\//i.test(raw) ? embeddedAddresses(raw) : [],
  };
}
