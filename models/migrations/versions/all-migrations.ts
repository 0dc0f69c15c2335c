import { tripPointPacks } from './0001-trip-point-packs.ts';
import { slugKeys } from './0002-slug-keys.ts';
import { serialGrams } from './0003-serial-grams.ts';
import { subscriptionDevices } from './0004-subscription-devices.ts';
import { tripPaths } from './0005-trip-paths.ts';
import { deviceTails } from './0006-device-tails.ts';
import { contentStamps } from './0007-content-stamps.ts';
import { nicknameGrams } from './0008-nickname-grams.ts';
import { itemWords } from './0009-item-words.ts';
import { tagKeys } from './0010-tag-keys.ts';
import { loggedPaths } from './0011-logged-paths.ts';
import { tripGaps } from './0012-trip-gaps.ts';
import { accountEmails } from './0013-account-emails.ts';
import { indexesByAccount } from './0014-indexes-by-account.ts';
import type { Migration } from './migration.ts';

/** Every migration, in order. Lines are added and never changed: existing databases have run them. */
export const MIGRATIONS: readonly Migration[] = [
  tripPointPacks,
  slugKeys,
  serialGrams,
  subscriptionDevices,
  tripPaths,
  deviceTails,
  contentStamps,
  nicknameGrams,
  itemWords,
  tagKeys,
  loggedPaths,
  tripGaps,
  accountEmails,
  indexesByAccount,
];
