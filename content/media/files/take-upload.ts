import { type HeldMemory, outOfMemory } from '../../../http/requests/body-memory.ts';
import type { UploadedFile } from '../../access/content-context.ts';
import type { StoredSettings } from '../../models/site-settings.ts';
import { mediaStorage } from '../storage/media-storage.ts';
import { typeOfName } from './allowed-types.ts';
import { freeFileName, safeFileName, splitFileName } from './file-name.ts';
import { type MediaDetails, NO_IMAGE_META } from './media-details.ts';
import { scaledCopies, type ScaledCopy, dimensionsOf } from './scaled-copies.ts';
import { mayBeStoredAs, sniffedType } from './sniffed-type.ts';
import type { Service } from '../../../models/store/service.ts';
import { ContentError } from '../../schema/content-error.ts';
import type { Dimensions } from './image-dimensions.ts';

/** Bytes of a decoded pixel: three colors and the opacity. */
const PIXEL_BYTES = 4;

/**
 * Holds the memory of a decoded image.
 *
 * @throws ContentError `rest_upload_image_too_large` if it never fits; ServiceError SERVICE_UNAVAILABLE while others hold the memory
 */
function holdDecoded({ width, height }: Dimensions, memory: HeldMemory): void {
  const bytes = width * height * PIXEL_BYTES;
  if (bytes > memory.max) {
    throw new ContentError('rest_upload_image_too_large', 'Memory exceeded. Please try another smaller file.', 400);
  }
  if (!memory.take(bytes)) throw outOfMemory();
}

/** File name extensions by the actual type of an image. */
const ENDING_OF_IMAGE: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/tiff': 'tif',
};

/** Pictures of phones that most browsers do not show. */
const HEIC = /^image\/hei[cf](?:-sequence)?$/;
const HEIC_MESSAGE =
  'HEIC pictures are not shown by most browsers. Convert it to JPEG, WebP or AVIF before uploading; phones can also ' +
  'take pictures as JPEG (“Most Compatible”).';

/** The settings that uploads depend on. */
export type UploadSettings = Pick<StoredSettings, 'uploads_use_yearmonth_folders' | 'image_sizes'>;

/**
 * Compares a file with its name. An image with the extension of another type gets the right one.
 *
 * @returns null if files of its name or type may not be uploaded, or its content contradicts its name
 * @throws ContentError `rest_upload_image_type_not_supported` for HEIC, whatever its name is
 */
export async function checkUpload(name: string, bytes: Uint8Array): Promise<UploadedFile | null> {
  const sniffed = await sniffedType(bytes);
  if (HEIC.test(sniffed)) throw new ContentError('rest_upload_image_type_not_supported', HEIC_MESSAGE, 400);
  const type = typeOfName(name);
  if (type === null) return null;
  const ending = ENDING_OF_IMAGE[sniffed];
  if (type.startsWith('image/') && sniffed !== type && ending !== undefined) {
    return { name: `${splitFileName(name)[0]}.${ending}`, type: sniffed, bytes };
  }
  return mayBeStoredAs(sniffed, type) ? { name, type, bytes } : null;
}

/**
 * Stores a file under the first free name like its own, and scaled copies of an image beside it. Every stored file has a
 * unique name, so a file that is left behind when the process ends here does no harm.
 *
 * @param now decides the folder
 * @param memory available for a decoded image
 * @throws ContentError `rest_upload_image_too_large`; ServiceError SERVICE_UNAVAILABLE while others hold the memory
 */
export async function takeUpload(
  service: Service,
  upload: UploadedFile,
  settings: UploadSettings,
  now: Date,
  memory?: HeldMemory,
): Promise<{ path: string; type: string; details: MediaDetails }> {
  const { type, bytes } = upload;
  const dimensions = await dimensionsOf(bytes, type);
  if (dimensions !== null && memory !== undefined) holdDecoded(dimensions, memory);
  const folder = settings.uploads_use_yearmonth_folders ? `${now.toISOString().slice(0, 7).replace('-', '/')}/` : '';
  const copies = dimensions === null ? [] : await scaledCopies(bytes, dimensions, settings.image_sizes);
  for (;;) {
    const path = await storeFreely(service, folder, safeFileName(upload.name), type, bytes);
    if (dimensions === null) return { path, type, details: {} };
    const sizes = await storeCopies(service, path, type, copies);
    // Another upload may have taken the name of a copy meanwhile; then all of them get another name.
    if (sizes) return { path, type, details: { ...dimensions, file: path, image_meta: NO_IMAGE_META, sizes } };
  }
}

/** Stores scaled copies beside their image; if the name of one is taken, removes the image and all copies. */
async function storeCopies(
  service: Service,
  path: string,
  type: string,
  copies: readonly ScaledCopy[],
): Promise<NonNullable<MediaDetails['sizes']> | null> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const [stem, ending] = splitFileName(path.slice(folder.length));
  const stored = [path];
  const sizes: MediaDetails['sizes'] & Record<string, unknown> = {};
  for (const { size, width, height, bytes } of copies) {
    const file = `${stem}-${width}x${height}${ending}`;
    const isSame = stored.includes(folder + file);
    if (!isSame && !(await mediaStorage(service).store(folder + file, type, bytes))) {
      await mediaStorage(service).remove(stored);
      return null;
    }
    stored.push(folder + file);
    Object.assign(sizes, { [size]: { file, width, height, mime_type: type } });
  }
  return sizes;
}

async function storeFreely(
  service: Service,
  folder: string,
  name: string,
  type: string,
  bytes: Uint8Array,
): Promise<string> {
  const [stem] = splitFileName(name);
  const taken = new Set(
    (await mediaStorage(service).pathsStarting(folder + stem)).map((path) => path.slice(folder.length)),
  );
  for (;;) {
    const free = freeFileName(name, taken);
    if (await mediaStorage(service).store(folder + free, type, bytes)) return folder + free;
    taken.add(free);
  }
}

/** Every file that belongs to a stored upload: itself and its scaled copies. */
export function filesOf(path: string, { sizes = {} }: MediaDetails): string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return [path, ...Object.values(sizes).map(({ file }) => folder + file)];
}
