import { decodeProtectedHeader } from 'jose';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { isSealed, KeyEncryptionError } from '../../auth/secrets/key-encryption.ts';
import {
  clearSigningKeys,
  currentSigningKey,
  findSigningKey,
  KEY_OVERLAP_MS,
  publicKeySet,
  rotateSigningKeys,
} from '../../auth/signing-keys.ts';
import { signTripToken, TRIP_TOKEN_LIFETIME, verifyTripToken } from '../../auth/trip-token.ts';
import { SigningKeyStore } from '../../models/sign-in/signing-key.ts';
import { account, appFor, user, vehicle } from '../services/account-fixture.ts';
import { useDatabase, testService, openService } from '../services/database.ts';
import { queriesDuring } from '../services/queries-during.ts';

useDatabase();

const ISSUER = 'https://localhost:8443';
const SECRET = 'a secret of the operator that is long enough';
beforeEach(async () => {
  await SigningKeyStore.deleteMany(testService);
  clearSigningKeys(testService);
});

/** Stops the clock that says how old the keys in memory are, so many milliseconds from now. */
function later(milliseconds: number): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now()) + milliseconds);
  onTestFinished(() => clock.mockRestore());
}

/** The module as another process has it, with its keys in memory, on the same database. */
function otherProcess(): Promise<typeof import('../../auth/signing-keys.ts')> {
  return import(`${new URL('../../auth/signing-keys.ts', import.meta.url).pathname}?process=other`);
}

const published = async (now?: Date) => (await publicKeySet(testService, now)).keys.map(({ kid }) => kid);

test('the first key is made on first use, and used again', async () => {
  const { kid } = await currentSigningKey(testService);
  expect((await currentSigningKey(testService)).kid).toBe(kid);
  expect(await published()).toEqual([kid]);
});

test('after a rotation the new key signs, and no valid token dies', async () => {
  const { key } = await account();
  const { client_id, grant } = await appFor(await user(key), ['account_activity.read']);
  const claims = { sub: `vehicle:${await vehicle(key)}`, aud: 'https://a.example', scope: 'loc-past', client_id };
  const sign = () => signTripToken(testService, ISSUER, { ...claims, grant: grant.grant_hash });
  const before = await sign();
  const { kid, stillValid } = await rotateSigningKeys(testService);
  const after = await sign();
  expect(decodeProtectedHeader(after).kid).toBe(kid);
  expect(decodeProtectedHeader(before).kid).toBe(stillValid[0]);
  for (const token of [before, after])
    expect(await verifyTripToken(testService, token, ISSUER, 'https://a.example')).not.toBeNull();
});

test('after an immediate rotation no token of an old key is good, though a server has just read that key', async () => {
  const { key } = await account();
  const { client_id, grant } = await appFor(await user(key), ['account_activity.read']);
  const claims = { sub: `vehicle:${await vehicle(key)}`, aud: 'https://a.example', scope: 'loc-past', client_id };
  const token = await signTripToken(testService, ISSUER, { ...claims, grant: grant.grant_hash });
  expect(await verifyTripToken(testService, token, ISSUER, 'https://a.example')).not.toBeNull();
  const old = await SigningKeyStore.find(testService);
  const { kid, stillValid } = await rotateSigningKeys(testService, new Date(), true);
  expect([stillValid, await published()]).toEqual([[], [kid]]);
  expect(await verifyTripToken(testService, token, ISSUER, 'https://a.example')).toBeNull();

  // As another server rotates, of which this one has not heard.
  await SigningKeyStore.insertMany(testService, old);
  await SigningKeyStore.deleteMany(testService, { kid });
  later(1000);
  const again = await signTripToken(testService, ISSUER, { ...claims, grant: grant.grant_hash });
  expect(await verifyTripToken(testService, again, ISSUER, 'https://a.example')).not.toBeNull();
  await SigningKeyStore.deleteMany(testService);
  expect(await findSigningKey(testService, decodeProtectedHeader(again).kid ?? '')).not.toBeNull();
  expect(await verifyTripToken(testService, again, ISSUER, 'https://a.example')).toBeNull();
});

test('an old key is known for longer than a token lives, and then no more', async () => {
  const old = (await currentSigningKey(testService)).kid;
  const rotated = new Date();
  const { kid } = await rotateSigningKeys(testService, rotated);
  const after = (milliseconds: number) => new Date(rotated.getTime() + milliseconds);
  expect(await published(after(TRIP_TOKEN_LIFETIME * 1000))).toEqual([kid, old]);
  expect(await published(after(KEY_OVERLAP_MS))).toEqual([kid]);
  expect(await findSigningKey(testService, old, after(KEY_OVERLAP_MS))).toBeNull();
});

test('a key is read once a minute, and one that another process has made is found', async () => {
  later(0);
  const { kid } = await currentSigningKey(testService);
  await findSigningKey(testService, kid);
  const uses = () =>
    queriesDuring(async () => {
      for (let use = 0; use < 3; use++) expect((await findSigningKey(testService, kid))?.kid).toBe(kid);
    });
  expect(await uses()).toEqual([]);
  later(59_000);
  expect(await uses()).toEqual([]);
  const private_key = (await SigningKeyStore.findOne(testService, { kid }))?.private_key ?? '';
  await SigningKeyStore.create(testService, { kid: 'another', private_key, created: new Date() });
  expect((await findSigningKey(testService, 'another'))?.kid).toBe('another');
  expect((await findSigningKey(testService, kid))?.kid).toBe(kid);
});

test('a key that is gone is believed for a minute at most, and signs for a second at most', async () => {
  later(0);
  const { kid } = await currentSigningKey(testService);
  await findSigningKey(testService, kid);
  await SigningKeyStore.deleteMany(testService);
  expect((await currentSigningKey(testService)).kid).toBe(kid);
  expect(await findSigningKey(testService, kid)).not.toBeNull();
  later(60_000);
  expect(await findSigningKey(testService, kid)).toBeNull();
  expect((await currentSigningKey(testService)).kid).not.toBe(kid);
});

test.each([false, true])(
  'after a rotation in another process (immediate: %s) its key signs within a second',
  async (isImmediate) => {
    later(0);
    await currentSigningKey(testService);
    const { kid } = await currentSigningKey(testService);
    const rotated = await (await otherProcess()).rotateSigningKeys(testService, new Date(), isImmediate);
    expect((await currentSigningKey(testService)).kid).toBe(kid);
    later(1000);
    expect((await currentSigningKey(testService)).kid).toBe(rotated.kid);
    expect((await findSigningKey(testService, kid)) === null).toBe(isImmediate);
  },
);

test('a key that another process has made is published as soon as it signs', async () => {
  await currentSigningKey(testService);
  const { kid } = await currentSigningKey(testService);
  const rotated = await (await otherProcess()).rotateSigningKeys(testService);
  expect(await published()).toEqual([rotated.kid, kid]);
});

test('a rotation forgets the keys whose time is over', async () => {
  const old = (await currentSigningKey(testService)).kid;
  await rotateSigningKeys(testService);
  await rotateSigningKeys(testService, new Date(Date.now() + KEY_OVERLAP_MS + 1000));
  expect(await SigningKeyStore.countDocuments(testService, { kid: old })).toBe(0);
});

test('with a secret, what is stored is encrypted, and no part of the private key is in it', async () => {
  const { kid } = await currentSigningKey(await openService({ keyEncryptionSecret: SECRET }));
  const stored = await SigningKeyStore.findOne(testService, { kid });
  expect(isSealed(stored?.private_key ?? '')).toBe(true);
  expect(stored?.private_key).toMatch(/^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
});

test('a key that was stored before there was a secret is encrypted when it is used', async () => {
  const { kid } = await currentSigningKey(testService);
  expect(isSealed((await SigningKeyStore.findOne(testService, { kid }))?.private_key ?? '')).toBe(false);
  await currentSigningKey(await openService({ keyEncryptionSecret: SECRET }));
  expect(isSealed((await SigningKeyStore.findOne(testService, { kid }))?.private_key ?? '')).toBe(true);
});

test.each([
  [null, 'set KEY_ENCRYPTION_SECRET'],
  ['another secret that is long enough as well', 'set the old one'],
])('with %s in its place a start says what to do', async (secret, advice) => {
  await rotateSigningKeys(await openService({ keyEncryptionSecret: SECRET }));
  const service = await openService({ keyEncryptionSecret: secret });
  await expect(currentSigningKey(service)).rejects.toThrow(KeyEncryptionError);
  await expect(currentSigningKey(service)).rejects.toThrow(advice);
});
