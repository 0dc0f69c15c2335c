import { databaseStorage } from './database-storage.ts';
import type { MediaStorage } from './media-storage.ts';
import { type Service, perService } from '../../../models/store/service.ts';

/** Storage of uploaded files. Another store, such as S3, is another {@link MediaStorage} named here. */
export const mediaStorage: (service: Service) => MediaStorage = perService(databaseStorage);
