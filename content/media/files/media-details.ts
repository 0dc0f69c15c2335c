import type { StoredItem } from '../../models/content-item.ts';

import type { Dimensions } from './image-dimensions.ts';
import type { ImageSizeName } from '../../models/site-settings.ts';

/** Stored fields of a scaled copy of an image. */
export interface StoredSize extends Dimensions {
  /** Name of the file, in the folder of the image. */
  readonly file: string;
  readonly mime_type: string;
}

/** Stored details of a media file beside its type; empty for a file that is not an image. */
export interface MediaDetails extends Partial<Dimensions> {
  /** Path below the folder of uploads. */
  readonly file?: string;
  readonly image_meta?: Readonly<Record<string, string | readonly string[]>>;
  readonly sizes?: Readonly<Partial<Record<ImageSizeName | 'full', StoredSize>>>;
}

/** Facts about how a picture was taken; none are read. Shape: `media_details.image_meta`. */
export const NO_IMAGE_META: NonNullable<MediaDetails['image_meta']> = {
  aperture: '0',
  credit: '',
  camera: '',
  caption: '',
  created_timestamp: '0',
  copyright: '',
  focal_length: '0',
  iso: '0',
  shutter_speed: '0',
  title: '',
  orientation: '0',
  keywords: [],
};

/** The address of an uploaded file; `site` without a trailing slash. */
export function uploadUrl(path: string, site: string): string {
  return `${site}/wp-content/uploads/${path}`;
}

/** Fields of a stored attachment that concern its file. */
export type MediaItem = Pick<StoredItem, 'file' | 'guid' | 'mime_type' | 'media_details'>;

/** The details as they are stored, which the database stores as an object of any shape. */
export function detailsOf({ media_details }: Pick<MediaItem, 'media_details'>): MediaDetails {
  return media_details;
}

/** Returns the address of the file of an attachment. */
export function sourceUrl(item: MediaItem, site: string): string {
  return item.file === '' ? item.guid : uploadUrl(item.file, site);
}

/** Returns true if an attachment is an image. */
export function isImage({ mime_type }: Pick<MediaItem, 'mime_type'>): boolean {
  return mime_type.startsWith('image/');
}

/** Returns the address of a scaled copy of an image. */
export function sizeUrl(item: MediaItem, { file }: StoredSize, site: string): string {
  const url = sourceUrl(item, site);
  return url.slice(0, url.lastIndexOf('/') + 1) + file;
}

/** The details of an attachment as the content interface shows them: each scaled copy with its address, and the original. */
export function shownDetails(item: MediaItem, site: string): Readonly<Record<string, unknown>> {
  const details = detailsOf(item);
  const { width, height, sizes = {} } = details;
  if (width === undefined || height === undefined) return { ...details };
  const copies = Object.entries(sizes).filter(([name]) => name !== 'full');
  if (copies.length === 0) return { ...details, sizes: {} };
  const shown = copies.map(([name, size]) => [name, shownSize(size, sizeUrl(item, size, site))] as const);
  const url = sourceUrl(item, site);
  const file = url.slice(url.lastIndexOf('/') + 1);
  const full = shownSize({ file, width, height, mime_type: item.mime_type }, url);
  return { ...details, sizes: { ...Object.fromEntries(shown), full } };
}

function shownSize({ file, width, height, mime_type }: StoredSize, source_url: string) {
  return { file, width, height, mime_type, source_url };
}

/** The dimensions of an image; empty if they could not be read. */
export function imageDimensions(item: MediaItem): Dimensions {
  const { width = 0, height = 0 } = detailsOf(item);
  return { width, height };
}
