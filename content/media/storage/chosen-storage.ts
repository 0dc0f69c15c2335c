import { databaseStorage } from './database-storage.ts';
import type { MediaStorage } from './media-storage.ts';

/** Storage of uploaded files. Another store, such as S3, is another {@link MediaStorage} named here. */
export const mediaStorage: MediaStorage = databaseStorage;
