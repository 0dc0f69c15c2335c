import { join } from 'node:path';

import { hashSecret, newSecret } from '../../auth/secrets.ts';
import { createOnce, readIfThere, replaceFile } from '../../http/tls/atomic-file.ts';
import { newKey } from '../../models/key.ts';
import { StartError } from '../configuration/start-error.ts';
import { DEMO_FLEET, DEMO_GROUPS } from './fleet.ts';

/** Only who runs the service may read the keys: there is no other plain copy. */
const SECRET = 0o600;

/** A vehicle of the demonstration. */
export interface DemoVehicle {
  readonly key: string;
  readonly nickname: string;
}

/** Credentials of the demonstration: the content of `DATA_DIR/demo.json`. */
export interface DemoKeys {
  /** False until all records are written; a start that finds it false goes on where the last one was ended. */
  readonly complete: boolean;
  /** When the demonstration was begun, ISO 8601: its trips lie in the days before. */
  readonly created: string;
  readonly account_key: string;
  readonly subscription_key: string;
  readonly owner_key: string;
  readonly owner_email: string;
  readonly owner_password: string;
  /** A user who sees one group only. */
  readonly restricted_user_key: string;
  readonly restricted_user_email: string;
  readonly restricted_user_password: string;
  /** Id by which the API key is revoked. */
  readonly api_key_id: string;
  /** Service-Api-Key of the owner. */
  readonly api_key: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** OAuth access token of the app for the owner; a start renews it before it expires. */
  readonly access_token: string;
  /** The owner's grant to the app, as special-purpose tokens name it. */
  readonly grant_hash: string;
  /** Keys of the groups by their names. */
  readonly group_keys: Readonly<Record<string, string>>;
  readonly vehicles: readonly DemoVehicle[];
}

/** Path of the file with the credentials of a data folder's demonstration. */
export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/**
 * The keys of the demonstration; null where the data folder has none.
 *
 * @throws StartError where the file is no JSON
 */
export async function readDemoKeys(dataDir: string): Promise<DemoKeys | null> {
  const text = await readIfThere(demoFile(dataDir));
  if (text === null) return null;
  try {
    return JSON.parse(text) as DemoKeys;
  } catch (cause) {
    const file = demoFile(dataDir);
    throw new StartError(`${file} is damaged; restore it, or remove it to go on without the demonstration's keys`, {
      cause,
    });
  }
}

/** Keeps keys unless the folder has some already, and answers those that are kept in the end. */
export async function keepFirstDemoKeys(dataDir: string, keys: DemoKeys): Promise<DemoKeys> {
  return JSON.parse(await createOnce(demoFile(dataDir), textOf(keys), SECRET)) as DemoKeys;
}

/** Keeps keys in the place of those that are there. */
export async function replaceDemoKeys(dataDir: string, keys: DemoKeys): Promise<void> {
  await replaceFile(demoFile(dataDir), textOf(keys), SECRET);
}

function textOf(keys: DemoKeys): string {
  return `${JSON.stringify(keys, null, 2)}\n`;
}

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
