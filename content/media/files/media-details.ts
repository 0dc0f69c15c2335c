import type { ImageSizeName } from '../../models/site-settings.ts';

import type { Dimensions } from './image-dimensions.ts';

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

/** Facts about how a picture was taken, of which none are read. Shape: `media_details.image_meta`. */
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
