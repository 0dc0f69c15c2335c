import { ContentItemModel } from '../../content/models/content-item.ts';
import { WebsiteUserModel } from '../../content/models/website-user.ts';
import { isDuplicateKey } from '../../models/duplicate-key.ts';
import { importContent } from '../../content/transfer/import-content.ts';

import type { DemoKeys } from './demo-keys.ts';
import { DEMO_WRITER, demoContent } from './demo-content.ts';

/**
 * Writes the posts and pages of the demonstration, unless somebody else has written on the website before. What an earlier
 * start has written is written again as it was.
 */
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
