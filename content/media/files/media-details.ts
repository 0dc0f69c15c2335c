import type { ImageSizeName } from '../../models/site-settings.ts';

import type { Dimensions } from './image-dimensions.ts';

/** What is stored of a scaled copy of an image. */
export interface StoredSize extends Dimensions {
  /** Name of the file, in the folder of the image. */
  readonly file: string;
  readonly mime_type: string;
}

/** What is stored of a media file beside its type; nothing for one that is no image. */
export interface MediaDetails extends Partial<Dimensions> {
  /** Path below the folder of uploads. */
  readonly file?: string;
  readonly image_meta?: Readonly<Record<string, string | readonly string[]>>;
  readonly sizes?: Readonly<Partial<Record<ImageSizeName | 'full', StoredSize>>>;
}

/** What is known of how a picture was taken, of which nothing is read. Shape: `media_details.image_meta`. */
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
