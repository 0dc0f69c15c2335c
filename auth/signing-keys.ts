import { createPrivateKey, type KeyObject } from 'node:crypto';

import { type CryptoKey, exportJWK, generateKeyPair, importJWK } from 'jose';

import { newKey } from '../models/key.ts';
import { type SigningKey, SigningKeyStore } from '../models/sign-in/signing-key.ts';
import type { JsonWebKey, JsonWebKeySet } from '../schema/account/json-web-key-set.ts';

import { OPERATOR, recordSecurityEvent } from './security-events.ts';
import { isSealed, keysAreEncrypted, openKey, sealKey } from './secrets/key-encryption.ts';
import { perService, type Service } from '../models/store/service.ts';

/** Signature algorithm of special-purpose tokens (RFC 7518, section 3.4). */
export const SIGNATURE_ALGORITHM = 'ES256';

/** Time for which a replaced key stays valid, in milliseconds: twice the lifetime of a token. */
export const KEY_OVERLAP_MS = 7_200_000;

interface LoadedKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JsonWebKey;
}

/**
 * Milliseconds for which the last key read is used for signing, which saves a command for each token: a rotation or removal by
 * another process takes effect within that time.
 */
const SIGNING_MS = 1000;

/**
 * Milliseconds for which the keys that were read are taken for all that verify. Tokens of a removed key are rejected all the
 * same, since the query that finds their grant finds their key as well; a key that is not known yet is looked for.
 */
const VERIFYING_MS = 60_000;

const loaded = perService(() => new Map<string, Promise<LoadedKey>>());
/** The keys as they were last read. */
const cached = perService((): { read: { readonly keys: readonly SigningKey[]; readonly at: number } | null } => ({
  read: null,
}));

/** The newest signing key; the first is made on first use. */
export async function currentSigningKey(service: Service): Promise<LoadedKey> {
  const newest = cachedKeys(service, SIGNING_MS)?.[0] ?? (await storedKeys(service))[0];
  return load(service, newest ?? (await createSigningKey(service, new Date())));
}

/** The key that a token names, or null if the service has no such key, or not any more. */
export async function findSigningKey(service: Service, kid: string, now: Date = new Date()): Promise<LoadedKey | null> {
  const key = liveAmong(await keysWith(service, kid), now).find((one) => one.kid === kid);
  return key ? load(service, key) : null;
}

/** The public keys of the service, newest first. */
export async function publicKeySet(service: Service, now: Date = new Date()): Promise<JsonWebKeySet> {
  const live = await liveKeys(service, now);
  const keys = live.length > 0 ? live : [await createSigningKey(service, now)];
  return { keys: await Promise.all(keys.map(async (key) => (await load(service, key)).publicJwk)) };
}

/**
 * Makes a new signing key, which signs from now on, and deletes those whose overlap is over. Tokens that the others have
 * signed stay valid, unless the rotation is immediate: then all other keys are deleted, and every server rejects their tokens
 * from then on.
 */
export async function rotateSigningKeys(
  service: Service,
  now: Date = new Date(),
  isImmediate = false,
): Promise<{ kid: string; stillValid: string[] }> {
  const stillValid = isImmediate ? [] : (await liveKeys(service, now)).map(({ kid }) => kid);
  const { kid } = await createSigningKey(service, now);
  await SigningKeyStore.deleteMany(service, { kid: { $nin: [...stillValid, kid] } });
  clearSigningKeys(service);
  await recordSecurityEvent(service, { kind: 'signing_keys_rotated', actor: OPERATOR, subject: kid }, now);
  return { kid, stillValid };
}

/** The newest key, and those that were the newest not longer ago than the overlap. */
async function liveKeys(service: Service, now: Date): Promise<SigningKey[]> {
  return liveAmong(await storedKeys(service), now);
}

function liveAmong(keys: readonly SigningKey[], now: Date): SigningKey[] {
  return keys.filter((_, at) => {
    const successor = keys[at - 1];
    return !successor || successor.created.getTime() + KEY_OVERLAP_MS > now.getTime();
  });
}

/** All keys, newest first: those that were just read, if the given one is among them. */
async function keysWith(service: Service, kid: string): Promise<readonly SigningKey[]> {
  const keys = cachedKeys(service, VERIFYING_MS);
  return keys?.some((key) => key.kid === kid) ? keys : storedKeys(service);
}

/** All keys, the newest first, as they were less than so many milliseconds ago; null if they must be read. */
function cachedKeys(service: Service, maxAge: number): readonly SigningKey[] | null {
  const { read } = cached(service);
  return read && performance.now() - read.at < maxAge ? read.keys : null;
}

/** All keys, the newest first. */
async function storedKeys(service: Service): Promise<readonly SigningKey[]> {
  const at = performance.now();
  const keys: SigningKey[] = await SigningKeyStore.find(service).sort({ created: -1, _id: -1 });
  cached(service).read = { keys, at };
  return keys;
}

/** Makes the next use read the keys again. */
export function clearSigningKeys(service: Service): void {
  cached(service).read = null;
}

async function createSigningKey(service: Service, created: Date): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNATURE_ALGORITHM, { extractable: true });
  const key = { kid: newKey(), private_key: await sealKey(service, await exportJWK(privateKey)), created };
  await SigningKeyStore.create(service, key);
  clearSigningKeys(service);
  return key;
}

async function load(service: Service, key: SigningKey): Promise<LoadedKey> {
  if (keysAreEncrypted(service) && !isSealed(key.private_key)) await encryptStored(service, key);
  const known = loaded(service).get(key.kid);
  if (known) return known;
  const loading = importKey(service, key);
  loaded(service).set(key.kid, loading);
  loading.catch(() => loaded(service).delete(key.kid));
  return loading;
}

/** A key that was stored before the operator had a secret is encrypted when it is used next. */
async function encryptStored(service: Service, { kid, private_key }: SigningKey): Promise<void> {
  await SigningKeyStore.updateOne(
    service,
    { kid, private_key },
    { private_key: await sealKey(service, await openKey(service, private_key)) },
  );
  clearSigningKeys(service);
}

async function importKey(service: Service, { kid, private_key }: SigningKey): Promise<LoadedKey> {
  const privateJwk = await openKey(service, private_key);
  const { crv = '', x = '', y = '' } = privateJwk;
  const publicJwk: JsonWebKey = { kty: 'EC', crv, x, y, kid, alg: SIGNATURE_ALGORITHM, use: 'sig' };
  return {
    kid,
    privateKey: createPrivateKey({ key: { ...privateJwk }, format: 'jwk' }),
    publicKey: (await importJWK({ ...publicJwk }, SIGNATURE_ALGORITHM)) as CryptoKey,
    publicJwk,
  };
}
