import { DEFAULT_SETTINGS, type ImageSizeName, type StoredSettings } from '../models/site-settings.ts';

import type { RecordReader } from './record-reader.ts';

/** Settings of a file: each that it names, null for one that has been reset. */
export type ImportedSettings = { readonly [K in keyof StoredSettings]?: StoredSettings[K] | null };

const UNPUBLISHED = ['uploads_use_yearmonth_folders', 'image_sizes'];
const SIZES: readonly ImageSizeName[] = ['thumbnail', 'medium', 'medium_large', 'large'];

/** The settings of a file, published and unpublished; its address is left out, since SITE_URL sets that. */
export function readImportedSettings(document: RecordReader): ImportedSettings {
  const settings = document.inner('settings');
  const published = settings.entries().flatMap(([name, value]) => {
    if (!Object.hasOwn(DEFAULT_SETTINGS, name) || UNPUBLISHED.includes(name)) return [];
    const wanted = typeof DEFAULT_SETTINGS[name as keyof StoredSettings];
    const isRight = value === null || typeof value === wanted;
    return isRight ? [[name, value]] : settings.reject(`${name} must be a ${wanted}`);
  });
  const options = document.inner('options_not_in_settings');
  const byMonth = options.has('uploads_use_yearmonth_folders')
    ? { uploads_use_yearmonth_folders: options.integer('uploads_use_yearmonth_folders') !== 0 }
    : {};
  return { ...Object.fromEntries(published), ...byMonth, ...imageSizes(document, options) };
}

/** The sizes that the file names, or those that its images have; nothing where it has no images. */
function imageSizes(document: RecordReader, options: RecordReader): { readonly image_sizes?: ImageSizeName[] } {
  if (options.has('image_sizes')) {
    const names = options.texts('image_sizes');
    return { image_sizes: SIZES.filter((size) => names.includes(size)) };
  }
  const media = document.records('media').map((reader) => reader.inner('media_details'));
  const images = media.filter((details) => details.has('sizes')).map((details) => details.inner('sizes'));
  return images.length === 0 ? {} : { image_sizes: SIZES.filter((size) => images.some((image) => image.has(size))) };
}
