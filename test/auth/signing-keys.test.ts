import { decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { encryptKeysWith, isSealed, KeyEncryptionError } from '../../auth/key-encryption.ts';
import {
  clearSigningKeys,
  currentSigningKey,
  findSigningKey,
  KEY_OVERLAP_MS,
  publicKeySet,
  rotateSigningKeys,
} from '../../auth/signing-keys.ts';
import { signTripToken, TRIP_TOKEN_LIFETIME, verifyTripToken } from '../../auth/trip-token.ts';
import { SigningKeyModel } from '../../models/sign-in/signing-key.ts';
import { account, appFor, user, vehicle } from '../services/account-fixture.ts';
import { useDatabase } from '../services/database.ts';
import { queriesDuring } from '../services/queries-during.ts';

useDatabase();

const ISSUER = 'https://localhost:8443';
const SECRET = 'a secret of the operator that is long enough';
beforeEach(async () => {
  await SigningKeyModel.deleteMany();
  clearSigningKeys();
});
afterEach(() => encryptKeysWith(null));

/** Stops the clock that says how old the keys in memory are, so many milliseconds from now. */
function later(milliseconds: number): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now()) + milliseconds);
  onTestFinished(() => clock.mockRestore());
}

/** The module as another process has it, with its keys in memory, on the same database. */
function otherProcess(): Promise<typeof import('../../auth/signing-keys.ts')> {
  return import(`${new URL('../../auth/signing-keys.ts', import.meta.url).pathname}?process=other`);
}

const published = async (now?: Date) => (await publicKeySet(now)).keys.map(({ kid }) => kid);

test('the first key is made on first use, and used again', async () => {
  const { kid } = await currentSigningKey();
  expect((await currentSigningKey()).kid).toBe(kid);
  expect(await published()).toEqual([kid]);
});

test('after a rotation the new key signs, and no valid token dies', async () => {
  const { key } = await account();
  const { client_id, grant } = await appFor(await user(key), ['account_activity.read']);
  const claims = { sub: `vehicle:${await vehicle(key)}`, aud: 'https://a.example', scope: 'loc-past', client_id };
  const sign = () => signTripToken(ISSUER, { ...claims, grant: grant.grant_hash });
  const before = await sign();
  const { kid, stillValid } = await rotateSigningKeys();
  const after = await sign();
  expect(decodeProtectedHeader(after).kid).toBe(kid);
  expect(decodeProtectedHeader(before).kid).toBe(stillValid[0]);
  for (const token of [before, after]) expect(await verifyTripToken(token, ISSUER, 'https://a.example')).not.toBeNull();
});

test('after an immediate rotation no token of an old key is good, though a server has just read that key', async () => {
  const { key } = await account();
  const { client_id, grant } = await appFor(await user(key), ['account_activity.read']);
  const claims = { sub: `vehicle:${await vehicle(key)}`, aud: 'https://a.example', scope: 'loc-past', client_id };
  const token = await signTripToken(ISSUER, { ...claims, grant: grant.grant_hash });
  expect(await verifyTripToken(token, ISSUER, 'https://a.example')).not.toBeNull();
  const old = await SigningKeyModel.find().lean();
  const { kid, stillValid } = await rotateSigningKeys(new Date(), true);
  expect([stillValid, await published()]).toEqual([[], [kid]]);
  expect(await verifyTripToken(token, ISSUER, 'https://a.example')).toBeNull();

  // As another server rotates, of which this one has not heard.
  await SigningKeyModel.insertMany(old);
  await SigningKeyModel.deleteMany({ kid });
  later(1000);
  const again = await signTripToken(ISSUER, { ...claims, grant: grant.grant_hash });
  expect(await verifyTripToken(again, ISSUER, 'https://a.example')).not.toBeNull();
  await SigningKeyModel.deleteMany();
  expect(await findSigningKey(decodeProtectedHeader(again).kid ?? '')).not.toBeNull();
  expect(await verifyTripToken(again, ISSUER, 'https://a.example')).toBeNull();
});

test('an old key is known for longer than a token lives, and then no more', async () => {
  const old = (await currentSigningKey()).kid;
  const rotated = new Date();
  const { kid } = await rotateSigningKeys(rotated);
  const after = (milliseconds: number) => new Date(rotated.getTime() + milliseconds);
  expect(await published(after(TRIP_TOKEN_LIFETIME * 1000))).toEqual([kid, old]);
  expect(await published(after(KEY_OVERLAP_MS))).toEqual([kid]);
  expect(await findSigningKey(old, after(KEY_OVERLAP_MS))).toBeNull();
});

test('a key is read once a minute, and one that another process has made is found', async () => {
  later(0);
  const { kid } = await currentSigningKey();
  await findSigningKey(kid);
  const uses = () =>
    queriesDuring(async () => {
      for (let use = 0; use < 3; use++) expect((await findSigningKey(kid))?.kid).toBe(kid);
    });
  expect(await uses()).toEqual([]);
  later(59_000);
  expect(await uses()).toEqual([]);
  const private_key = (await SigningKeyModel.findOne({ kid }).lean())?.private_key ?? '';
  await SigningKeyModel.create({ kid: 'another', private_key, created: new Date() });
  expect((await findSigningKey('another'))?.kid).toBe('another');
  expect((await findSigningKey(kid))?.kid).toBe(kid);
});

test('a key that is gone is believed for a minute at most, and signs for a second at most', async () => {
  later(0);
  const { kid } = await currentSigningKey();
  await findSigningKey(kid);
  await SigningKeyModel.deleteMany();
  expect((await currentSigningKey()).kid).toBe(kid);
  expect(await findSigningKey(kid)).not.toBeNull();
  later(60_000);
  expect(await findSigningKey(kid)).toBeNull();
  expect((await currentSigningKey()).kid).not.toBe(kid);
});

test.each([false, true])(
  'after a rotation in another process (immediate: %s) its key signs within a second',
  async (isImmediate) => {
    later(0);
    await currentSigningKey();
    const { kid } = await currentSigningKey();
    const rotated = await (await otherProcess()).rotateSigningKeys(new Date(), isImmediate);
    expect((await currentSigningKey()).kid).toBe(kid);
    later(1000);
    expect((await currentSigningKey()).kid).toBe(rotated.kid);
    expect((await findSigningKey(kid)) === null).toBe(isImmediate);
  },
);

test('a key that another process has made is published as soon as it signs', async () => {
  await currentSigningKey();
  const { kid } = await currentSigningKey();
  const rotated = await (await otherProcess()).rotateSigningKeys();
  expect(await published()).toEqual([rotated.kid, kid]);
});

test('a rotation forgets the keys whose time is over', async () => {
  const old = (await currentSigningKey()).kid;
  await rotateSigningKeys();
  await rotateSigningKeys(new Date(Date.now() + KEY_OVERLAP_MS + 1000));
  expect(await SigningKeyModel.countDocuments({ kid: old })).toBe(0);
});

test('with a secret, what is stored is encrypted, and no part of the private key is in it', async () => {
  encryptKeysWith(SECRET);
  const { kid } = await currentSigningKey();
  const stored = await SigningKeyModel.findOne({ kid }).lean();
  expect(isSealed(stored?.private_key ?? '')).toBe(true);
  expect(stored?.private_key).toMatch(/^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
});

test('a key that was stored before there was a secret is encrypted when it is used', async () => {
  const { kid } = await currentSigningKey();
  expect(isSealed((await SigningKeyModel.findOne({ kid }).lean())?.private_key ?? '')).toBe(false);
  encryptKeysWith(SECRET);
  await currentSigningKey();
  expect(isSealed((await SigningKeyModel.findOne({ kid }).lean())?.private_key ?? '')).toBe(true);
});

test.each([
  [null, 'set KEY_ENCRYPTION_SECRET'],
  ['another secret that is long enough as well', 'set the old one'],
])('with %s in its place a start says what to do', async (secret, advice) => {
  encryptKeysWith(SECRET);
  await rotateSigningKeys();
  encryptKeysWith(secret);
  await expect(currentSigningKey()).rejects.toThrow(KeyEncryptionError);
  await expect(currentSigningKey()).rejects.toThrow(advice);
});
