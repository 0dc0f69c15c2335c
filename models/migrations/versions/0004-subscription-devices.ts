import { dropIndex } from './drop-index.ts';
import type { Migration } from './migration.ts';

/** Drops the index that is replaced by one with the status of each device: every write of a device would maintain both. */
export const subscriptionDevices: Migration = {
  number: 4,
  name: 'subscription-devices',
  description: 'Drops the index of the devices of a subscription, which another replaces',
  ...dropIndex('devices', 'account_key_1_subscription_key_1'),
};
