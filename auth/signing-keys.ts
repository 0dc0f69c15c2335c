import { type CryptoKey, exportJWK, generateKeyPair, importJWK } from 'jose';

import { newKey } from '../models/key.ts';
import { type SigningKey, SigningKeyModel } from '../models/sign-in/signing-key.ts';
import type { JsonWebKey, JsonWebKeySet } from '../schema/account/json-web-key-set.ts';

import { OPERATOR, recordSecurityEvent } from './security-events.ts';
import { isSealed, keysAreEncrypted, openKey, sealKey } from './key-encryption.ts';

/** Signature algorithm of special-purpose tokens (RFC 7518, section 3.4). */
export const SIGNATURE_ALGORITHM = 'ES256';

/** Time for which a replaced key stays valid, in milliseconds: twice the lifetime of a token. */
export const KEY_OVERLAP_MS = 7_200_000;

interface LoadedKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JsonWebKey;
}

/**
 * For how long the keys that were read are believed to be all that verify. A rotation by another process changes nothing
 * for tokens in that time: an old key stays good far longer, and a new one that is not known yet is looked for.
 */
const BELIEVED_MS = 60_000;

const loaded = new Map<string, Promise<LoadedKey>>();
let read: { readonly keys: readonly SigningKey[]; readonly at: number } | null = null;

/** The newest signing key; the first is made on first use. */
export async function currentSigningKey(): Promise<LoadedKey> {
  const [newest] = await storedKeys();
  return load(newest ?? (await createSigningKey(new Date())));
}

/** The key that a token names, or null where the service has no such key, or not any more. */
export async function findSigningKey(kid: string, now: Date = new Date()): Promise<LoadedKey | null> {
  const key = liveAmong(await keysKnown(kid), now).find((one) => one.kid === kid);
  return key ? load(key) : null;
}

/** The public keys of the service, newest first. */
export async function publicKeySet(now: Date = new Date()): Promise<JsonWebKeySet> {
  await currentSigningKey();
  return { keys: await Promise.all((await liveKeys(now)).map(async (key) => (await load(key)).publicJwk)) };
}

/**
 * Makes a new signing key, which signs from now on, and deletes those whose overlap is over. Tokens that the others have
 * signed stay good, unless the rotation is immediate: then all other keys are deleted, and every server refuses their tokens
 * from that moment.
 */
export async function rotateSigningKeys(
  now: Date = new Date(),
  isImmediate = false,
): Promise<{ kid: string; stillValid: string[] }> {
  const stillValid = isImmediate ? [] : (await liveKeys(now)).map(({ kid }) => kid);
  const { kid } = await createSigningKey(now);
  await SigningKeyModel.deleteMany({ kid: { $nin: [...stillValid, kid] } });
  await recordSecurityEvent({ kind: 'signing_keys_rotated', actor: OPERATOR, subject: kid }, now);
  return { kid, stillValid };
}

/** The newest key, and those that were the newest not longer ago than the overlap. */
async function liveKeys(now: Date): Promise<SigningKey[]> {
  return liveAmong(await storedKeys(), now);
}

function liveAmong(keys: readonly SigningKey[], now: Date): SigningKey[] {
  return keys.filter((_, at) => {
    const successor = keys[at - 1];
    return !successor || successor.created.getTime() + KEY_OVERLAP_MS > now.getTime();
  });
}

/** All keys, the newest first: those that were read a moment ago, where the given one is among them. */
async function keysKnown(kid: string): Promise<readonly SigningKey[]> {
  const isKnown = read && performance.now() - read.at < BELIEVED_MS && read.keys.some((key) => key.kid === kid);
  return read && isKnown ? read.keys : storedKeys();
}

/** All keys, the newest first. */
async function storedKeys(): Promise<SigningKey[]> {
  const at = performance.now();
  const keys: SigningKey[] = await SigningKeyModel.find().sort({ created: -1, _id: -1 }).lean();
  read = { keys, at };
  return keys;
}

async function createSigningKey(created: Date): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNATURE_ALGORITHM, { extractable: true });
  const key = { kid: newKey(), private_key: await sealKey(await exportJWK(privateKey)), created };
  await SigningKeyModel.create(key);
  read = null;
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
  read = null;
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
