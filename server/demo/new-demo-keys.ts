import { hashSecret, newSecret } from '../../auth/secrets.ts';
import { newKey } from '../../models/key.ts';

import type { DemoKeys } from './demo-keys.ts';
import { DEMO_FLEET, DEMO_GROUPS } from './fleet.ts';

/** Chooses all keys of a demonstration before anything is written, so that every start writes the same. */
export function newDemoKeys(now: Date): DemoKeys {
  return {
    complete: false,
    created: now.toISOString(),
    account_key: newKey(),
    subscription_key: newKey(),
    owner_key: newKey(),
    owner_email: 'owner@demo.example',
    owner_password: newSecret('').slice(0, 16),
    restricted_user_key: newKey(),
    restricted_user_email: 'dispatcher@demo.example',
    restricted_user_password: newSecret('').slice(0, 16),
    api_key_id: newKey(),
    api_key: newSecret('wb_key_'),
    client_id: newKey(),
    client_secret: newSecret('wb_secret_'),
    access_token: newSecret(''),
    grant_hash: hashSecret(newKey()),
    group_keys: Object.fromEntries(DEMO_GROUPS.map(({ name }) => [name, newKey()])),
    vehicles: DEMO_FLEET.map(({ nickname }) => ({ key: newKey(), nickname })),
  };
}
