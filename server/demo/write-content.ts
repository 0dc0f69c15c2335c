import { ContentItemStore } from '../../content/models/content-item.ts';
import { WebsiteUserStore } from '../../content/models/website-user.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { importContent } from '../../content/transfer/import-content.ts';

import type { DemoKeys } from './demo-keys.ts';
import { DEMO_WRITER, demoContent } from './demo-content.ts';
import type { Service } from '../../models/store/service.ts';

/** Writes the demonstration's posts and pages, unless others have written on the website; idempotent. */
export async function writeContent(service: Service, { created }: DemoKeys): Promise<void> {
  const others = await WebsiteUserStore.exists(service, { username: { $ne: DEMO_WRITER } });
  const isDemoThere = await WebsiteUserStore.exists(service, { username: DEMO_WRITER });
  const isContentThere = await ContentItemStore.exists(service, {});
  if (others !== null || (isDemoThere === null && isContentThere !== null)) return;
  const write = () => importContent(service, demoContent(new Date(created)), { replace: false, siteUrl: '' });
  try {
    await write();
  } catch (error) {
    // Another start writes the same at this moment: what it has written is there now.
    if (!isDuplicateKey(error)) throw error;
    await write();
  }
}
