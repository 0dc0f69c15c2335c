import { SharedReads } from '../../models/shared-reads.ts';

import { readStamp } from '../models/content-stamp.ts';
import { perService, type Service } from '../../models/store/service.ts';

const reads = perService(() => new SharedReads<string | null>());

/** The stamp under which answers are cached now; null while content is being written, when none may be cached or used. */
export function currentStamp(service: Service): Promise<string | null> {
  return reads(service).read('stamp', async () => {
    const found = await readStamp(service);
    return found === null || (found.writers?.length ?? 0) > 0 ? null : found.stamp;
  });
}
