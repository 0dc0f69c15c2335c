import { type CryptoKey, exportJWK, generateKeyPair, importJWK } from 'jose';

import { newKey } from '../models/key.ts';
import { type SigningKey, SigningKeyModel } from '../models/signing-key.ts';
import type { JsonWebKey, JsonWebKeySet } from '../schema/json-web-key-set.ts';

import { isSealed, keysAreEncrypted, openKey, sealKey } from './key-encryption.ts';

/** Signature algorithm of special-purpose tokens (RFC 7518, section 3.4). */
export const SIGNATURE_ALGORITHM = 'ES256';

/**
 * For how long tokens of a key are good after a newer one has taken over, in milliseconds: twice as long as a token lives,
 * so that a rotation ends no token.
 */
export const KEY_OVERLAP_MS = 7_200_000;

interface LoadedKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JsonWebKey;
}

const loaded = new Map<string, Promise<LoadedKey>>();

/** The newest signing key; the first is made on first use. */
export async function currentSigningKey(): Promise<LoadedKey> {
  const [newest] = await storedKeys();
  return load(newest ?? (await createSigningKey(new Date())));
}

/** The key that a token names, or null where the service has no such key, or not any more. */
export async function findSigningKey(kid: string, now: Date = new Date()): Promise<LoadedKey | null> {
  const key = (await liveKeys(now)).find((one) => one.kid === kid);
  return key ? load(key) : null;
}

/** The public keys of the service, newest first. */
export async function publicKeySet(now: Date = new Date()): Promise<JsonWebKeySet> {
  await currentSigningKey();
  return { keys: await Promise.all((await liveKeys(now)).map(async (key) => (await load(key)).publicJwk)) };
}

/**
 * Makes a new signing key, which signs from now on, and forgets those whose overlap is over. Tokens that the others have
 * signed stay good.
 */
export async function rotateSigningKeys(now: Date = new Date()): Promise<{ kid: string; kept: string[] }> {
  const kept = (await liveKeys(now)).map(({ kid }) => kid);
  const { kid } = await createSigningKey(now);
  await SigningKeyModel.deleteMany({ kid: { $nin: [...kept, kid] } });
  return { kid, kept };
}

/** The newest key, and those that were the newest not longer ago than the overlap. */
async function liveKeys(now: Date): Promise<SigningKey[]> {
  const stored = await storedKeys();
  return stored.filter((_, at) => {
    const successor = stored[at - 1];
    return !successor || successor.created.getTime() + KEY_OVERLAP_MS > now.getTime();
  });
}

/** All keys, the newest first. */
function storedKeys(): Promise<SigningKey[]> {
  return SigningKeyModel.find().sort({ created: -1, _id: -1 }).lean();
}

async function createSigningKey(created: Date): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNATURE_ALGORITHM, { extractable: true });
  const key = { kid: newKey(), private_key: await sealKey(await exportJWK(privateKey)), created };
  await SigningKeyModel.create(key);
  return key;
}

async function load(key: SigningKey): Promise<LoadedKey> {
  if (keysAreEncrypted() && !isSealed(key.private_key)) await encryptStored(key);
  const cached = loaded.get(key.kid);
  if (cached) return cached;
  const loading = importKey(key);
  loaded.set(key.kid, loading);
  loading.catch(() => loaded.delete(key.kid));
  return loading;
}

/** A key that was stored before the operator had a secret is encrypted when it is used next. */
async function encryptStored({ kid, private_key }: SigningKey): Promise<void> {
  await SigningKeyModel.updateOne({ kid, private_key }, { private_key: await sealKey(await openKey(private_key)) });
}

async function importKey({ kid, private_key }: SigningKey): Promise<LoadedKey> {
  const privateJwk = await openKey(private_key);
  const { crv = '', x = '', y = '' } = privateJwk;
  const publicJwk: JsonWebKey = { kty: 'EC', crv, x, y, kid, alg: SIGNATURE_ALGORITHM, use: 'sig' };
  return {
    kid,
    privateKey: (await importJWK(privateJwk, SIGNATURE_ALGORITHM)) as CryptoKey,
    publicKey: (await importJWK({ ...publicJwk }, SIGNATURE_ALGORITHM)) as CryptoKey,
    publicJwk,
  };
}
