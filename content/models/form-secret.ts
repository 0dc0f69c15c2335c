import mongoose from 'mongoose';

import { newSecret } from '../../auth/secrets.ts';
import { collectionOptions } from '../../models/collection-options.ts';

const schema = new mongoose.Schema<{ readonly _id: string; readonly secret: string }>(
  { _id: { type: String, required: true }, secret: { type: String, required: true } },
  collectionOptions('content_secrets'),
);

/** The secret with which the website signs what its forms and cookies carry; the same on all servers. */
export const FormSecretModel = mongoose.model('FormSecret', schema);

/** Milliseconds for which the secret that was read is used, which saves a command for each page with a form. */
const CACHED_MS = 60_000;

let cached: { readonly secret: string; readonly at: number } | null = null;

/** Reads the secret; the first is made on first use. */
export async function formSecret(): Promise<string> {
  if (cached !== null && Date.now() - cached.at < CACHED_MS) return cached.secret;
  const { secret } = await FormSecretModel.findOneAndUpdate(
    { _id: 'forms' },
    { $setOnInsert: { secret: newSecret('') } },
    { upsert: true, returnDocument: 'after' },
  )
    .orFail()
    .lean();
  cached = { secret, at: Date.now() };
  return secret;
}

/** Clears the secret that was read: the database is another. */
export function clearFormSecret(): void {
  cached = null;
}
