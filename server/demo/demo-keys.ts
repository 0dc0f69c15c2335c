import { join } from 'node:path';

import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { createOnce, readIfThere, replaceFile } from '../../http/tls/atomic-file.ts';
import { newKey } from '../../models/key.ts';
import { StartError } from '../configuration/start-error.ts';
import { DEMO_FLEET, DEMO_GROUPS } from './fleet.ts';

/** Mode of the file: only the user who runs the service may read it. */
const SECRET = 0o600;

/** Credentials of the demonstration: the content of `DATA_DIR/demo.json`. */
export type DemoKeys = Readonly<ReturnType<typeof newDemoKeys>>;

/** Path of the file with the credentials of a data folder's demonstration. */
export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/**
 * Reads the demonstration's keys; null if the data folder has none.
 *
 * @throws StartError if they are not JSON
 */
export async function readDemoKeys(dataDir: string): Promise<DemoKeys | null> {
  const file = demoFile(dataDir);
  const text = await readIfThere(file);
  if (text === null) return null;
  try {
    return JSON.parse(text) as DemoKeys;
  } catch (cause) {
    throw new StartError(`${file} is damaged; restore it, or remove it to continue without the demonstration's keys`, {
      cause,
    });
  }
}

/** Stores keys unless the folder already has some; returns the stored ones. */
export async function keepFirstDemoKeys(dataDir: string, keys: DemoKeys): Promise<DemoKeys> {
  return JSON.parse(await createOnce(demoFile(dataDir), textOf(keys), SECRET)) as DemoKeys;
}

/** Replaces the stored keys. */
export async function replaceDemoKeys(dataDir: string, keys: DemoKeys): Promise<void> {
  await replaceFile(demoFile(dataDir), textOf(keys), SECRET);
}

function textOf(keys: DemoKeys): string {
  return `${JSON.stringify(keys, null, 2)}\n`;
}

/** Chooses all keys of a demonstration before anything is written, so that every start writes the same. */
export function newDemoKeys(now: Date) {
  return {
    /** False until all records are written: the next start resumes one that was interrupted. */
    complete: false,
    /** Start of the demonstration, ISO 8601: its trips are in the days before. */
    created: now.toISOString(),
    account_key: newKey(),
    subscription_key: newKey(),
    owner_key: newKey(),
    owner_email: 'owner@demo.example',
    owner_password: newSecret('').slice(0, 16),
    /** The restricted user sees one group only. */
    restricted_user_key: newKey(),
    restricted_user_email: 'dispatcher@demo.example',
    restricted_user_password: newSecret('').slice(0, 16),
    /** Id by which the API key is revoked. */
    api_key_id: newKey(),
    /** Service-Api-Key of the owner. */
    api_key: newSecret('wb_key_'),
    client_id: newKey(),
    client_secret: newSecret('wb_secret_'),
    /** OAuth access token of the app for the owner; a start renews it before it expires. */
    access_token: newSecret(''),
    /** The owner's grant to the app, as special-purpose tokens name it. */
    grant_hash: hashSecret(newKey()),
    /** Keys of the groups by their names. */
    group_keys: Object.fromEntries(DEMO_GROUPS.map(({ name }) => [name, newKey()])),
    vehicles: DEMO_FLEET.map(({ nickname }) => ({ key: newKey(), nickname })),
  };
}
