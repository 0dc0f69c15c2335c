import { randomBytes } from 'node:crypto';

import mongoose from 'mongoose';

import { collectionOptions } from './collection-options.ts';
import { onceStored } from './transaction.ts';

const schema = new mongoose.Schema<{ readonly _id: string; readonly secret: string }>(
  { _id: { type: String, required: true }, secret: { type: String, required: true } },
  // Those of forms were the first.
  collectionOptions('content_secrets'),
);

const SecretModel = mongoose.model('ServiceSecret', schema);

/** Uses of secrets: the website signs what its forms and cookies carry, and cursors of the log of changes and of lists are encrypted. */
export type SecretUse = 'forms' | 'change cursors' | 'list cursors';

/** Milliseconds for which a secret that was read is used, which saves a command for each request. */
const CACHED_MS = 60_000;

const cached = new Map<SecretUse, { readonly secret: string; readonly at: number }>();

/** Reads a secret of the service, the same on all servers; it is made on first use. */
export async function serviceSecret(use: SecretUse): Promise<string> {
  const known = cached.get(use);
  if (known && Date.now() - known.at < CACHED_MS) return known.secret;
  const { secret } = (await SecretModel.findOne({ _id: use }).lean()) ?? (await makeSecret(use));
  onceStored(() => cached.set(use, { secret, at: Date.now() }));
  return secret;
}

function makeSecret(use: SecretUse) {
  const made = { $setOnInsert: { secret: randomBytes(32).toString('base64url') } };
  return SecretModel.findOneAndUpdate({ _id: use }, made, { upsert: true, returnDocument: 'after' }).orFail().lean();
}

/** Clears the secrets that were read: the database is another. */
export function clearServiceSecrets(): void {
  cached.clear();
}
