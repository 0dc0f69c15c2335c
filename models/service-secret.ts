import { randomBytes } from 'node:crypto';

import mongoose from 'mongoose';

import { collectionOptions } from './store/collection-options.ts';
import { onceStored } from './store/transaction.ts';
import { perService, type Service } from './store/service.ts';
import { PlainStore } from './store/plain-store.ts';

interface StoredSecret {
  readonly _id: string;
  readonly secret: string;
}

const schema = new mongoose.Schema<StoredSecret>(
  { _id: { type: String, required: true }, secret: { type: String, required: true } },
  // Secrets of forms came first.
  collectionOptions('content_secrets'),
);

const SecretStore = new PlainStore<StoredSecret>('ServiceSecret', schema);

/** Uses of secrets: the website signs what its forms and cookies carry, and cursors of the log of changes and of lists are encrypted. */
export type SecretUse = 'forms' | 'change cursors' | 'list cursors';

/** Milliseconds for which a secret that was read is used, which saves a command for each request. */
const CACHED_MS = 60_000;

const cached = perService(() => new Map<SecretUse, { readonly secret: string; readonly at: number }>());

/** Reads a secret of the service, the same on all servers; it is made on first use. */
export async function serviceSecret(service: Service, use: SecretUse): Promise<string> {
  const known = cached(service).get(use);
  if (known && Date.now() - known.at < CACHED_MS) return known.secret;
  const { secret } = (await SecretStore.findOne(service, { _id: use })) ?? (await makeSecret(service, use));
  onceStored(() => cached(service).set(use, { secret, at: Date.now() }));
  return secret;
}

async function makeSecret(service: Service, use: SecretUse): Promise<StoredSecret> {
  const made = { $setOnInsert: { secret: randomBytes(32).toString('base64url') } };
  const options = { upsert: true, returnDocument: 'after' } as const;
  const secret = await SecretStore.findOneAndUpdate(service, { _id: use }, made, options);
  if (!secret) throw new TypeError(`The secret for ${use} was not made`);
  return secret;
}

/** Clears cached secrets, because the database was replaced. */
export function clearServiceSecrets(service: Service): void {
  cached(service).clear();
}
