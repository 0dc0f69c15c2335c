import { type CryptoKey, exportJWK, generateKeyPair, importJWK } from 'jose';

import { newKey } from '../models/key.ts';
import { type SigningKey, SigningKeyModel } from '../models/signing-key.ts';
import type { JsonWebKey, JsonWebKeySet } from '../schema/json-web-key-set.ts';

/** Signature algorithm of special-purpose tokens (RFC 7518, section 3.4). */
export const SIGNATURE_ALGORITHM = 'ES256';

interface LoadedKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JsonWebKey;
}

const loaded = new Map<string, Promise<LoadedKey>>();

/** The newest signing key; the first is made on first use. */
export async function currentSigningKey(): Promise<LoadedKey> {
  const [newest] = await SigningKeyModel.find().sort({ created: -1 }).limit(1).lean();
  return load(newest ?? (await createSigningKey()));
}

/** The key that a token names, or null where the service has no such key. */
export async function findSigningKey(kid: string): Promise<LoadedKey | null> {
  const cached = loaded.get(kid);
  if (cached) return cached;
  const stored = await SigningKeyModel.findOne({ kid }).lean();
  return stored ? load(stored) : null;
}

/** The public keys of the service, newest first. */
export async function publicKeySet(): Promise<JsonWebKeySet> {
  await currentSigningKey();
  const stored = await SigningKeyModel.find().sort({ created: -1 }).lean();
  return { keys: await Promise.all(stored.map(async (key) => (await load(key)).publicJwk)) };
}

async function createSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNATURE_ALGORITHM, { extractable: true });
  const key = { kid: newKey(), private_jwk: await exportJWK(privateKey), created: new Date() };
  await SigningKeyModel.create(key);
  return key;
}

function load(key: SigningKey): Promise<LoadedKey> {
  const cached = loaded.get(key.kid);
  if (cached) return cached;
  const loading = importKey(key);
  loaded.set(key.kid, loading);
  return loading;
}

async function importKey({ kid, private_jwk }: SigningKey): Promise<LoadedKey> {
  const { crv = '', x = '', y = '' } = private_jwk;
  const publicJwk: JsonWebKey = { kty: 'EC', crv, x, y, kid, alg: SIGNATURE_ALGORITHM, use: 'sig' };
  return {
    kid,
    privateKey: (await importJWK(private_jwk, SIGNATURE_ALGORITHM)) as CryptoKey,
    publicKey: (await importJWK({ ...publicJwk }, SIGNATURE_ALGORITHM)) as CryptoKey,
    publicJwk,
  };
}
