import { LRUCache } from 'lru-cache';

import type { RenderSettings } from './render-context.ts';
import { embeddedAddresses } from './embeds.ts';
import { galleryIds } from './gallery.ts';
import { shortcodeAttributes, shortcodesOf } from './markup/shortcodes.ts';

/** Maximum length of all texts and their HTML, in characters; the least recently used are evicted first. */
const MAX_LENGTH = 16_000_000;

const rendered = new LRUCache<string, string>({
  maxSize: MAX_LENGTH,
  sizeCalculation: (html, key) => html.length + key.length + 1,
});

/**
 * Renders texts, or returns the earlier result: HTML depends only on a text and the settings, unless the text
 * refers to other objects. It saves two thirds of the time that a list of posts takes.
 *
 * @param texts everything from which the HTML is made, the content last
 */
export function rememberRendered(settings: RenderSettings, texts: readonly string[], render: () => string): string {
  const key = keyOf(settings, texts);
  const known = rendered.get(key);
  if (known !== undefined) return known;
  const html = render();
  if (refersToNothing(texts.at(-1) ?? '')) rendered.set(key, html);
  return html;
}

/** Returns true if {@link rememberRendered} has the HTML of some texts, and so will render nothing. */
export function isRemembered(settings: RenderSettings, texts: readonly string[]): boolean {
  return rendered.has(keyOf(settings, texts));
}

function keyOf({ smilies, siteUrl }: RenderSettings, texts: readonly string[]): string {
  return [smilies, siteUrl, ...texts].join('\0');
}

function refersToNothing(content: string): boolean {
  const { images, imagesOn, addresses } = referencesOf(content, 0);
  return images.length === 0 && imagesOn.length === 0 && addresses.length === 0;
}

/** Objects that must be looked up before content can be rendered. */
export interface References {
  /** Ids of images. */
  readonly images: readonly number[];
  /** Ids of posts of which all images are needed. */
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
