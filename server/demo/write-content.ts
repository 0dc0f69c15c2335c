import { ContentItemModel } from '../../content/models/content-item.ts';
import { WebsiteUserModel } from '../../content/models/website-user.ts';
import { isDuplicateKey } from '../../models/duplicate-key.ts';
import { importContent } from '../../content/transfer/import-content.ts';

import type { DemoKeys } from './demo-keys.ts';
import { DEMO_WRITER, demoContent } from './demo-content.ts';

/** Writes the demonstration's posts and pages, unless others have written on the website; idempotent. */
export async function writeContent({ created }: DemoKeys): Promise<void> {
  const others = await WebsiteUserModel.exists({ username: { $ne: DEMO_WRITER } });
  const isDemoThere = await WebsiteUserModel.exists({ username: DEMO_WRITER });
  const isContentThere = await ContentItemModel.exists({});
  if (others !== null || (isDemoThere === null && isContentThere !== null)) return;
  const write = () => importContent(demoContent(new Date(created)), { replace: false, siteUrl: '' });
  try {
    await write();
  } catch (error) {
    // Another start writes the same at this moment: what it has written is there now.
    if (!isDuplicateKey(error)) throw error;
    await write();
  }
}
