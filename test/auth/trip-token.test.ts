import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { currentSigningKey, publicKeySet } from '../../auth/signing-keys.ts';
import {
  signTripToken,
  TRIP_TOKEN_LIFETIME,
  TRIP_TOKEN_ROLES,
  type TripTokenClaims,
  verifyTripToken,
} from '../../auth/trip-token.ts';
import { AppStore } from '../../models/account/app.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { unrestricted, accountAccessScope } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { createDevice, updateDevice } from '../../resolvers/devices/write-device.ts';
import { createPrivacyZone } from '../../resolvers/vehicles/privacy-zone-resolver.ts';
import { deletePrivacyZone } from '../../resolvers/vehicles/privacy-zone-resolver.ts';
import { account, appFor, group, user, vehicle } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';

useDatabase();

const ISSUER = 'https://localhost:8443';
const ORIGIN = 'https://fleet.example';

interface Granted {
  readonly claims: TripTokenClaims;
  readonly userKey: string;
  readonly vehicleKey: string;
  readonly clientId: string;
}

async function granted(scopes: readonly string[] = ['account_activity.read']): Promise<Granted> {
  const { key } = await account();
  const north = await group(key, 'North');
  const userKey = await user(key, [north]);
  const vehicleKey = await vehicle(key, [north]);
  const { client_id, grant } = await appFor(userKey, scopes);
  const claims = { sub: `vehicle:${vehicleKey}`, aud: ORIGIN, scope: 'loc-past', client_id, grant: grant.grant_hash };
  return { claims, userKey, vehicleKey, clientId: client_id };
}

const verify = (token: string, origin: string | undefined = ORIGIN) =>
  verifyTripToken(testService, token, ISSUER, origin);

let good: Granted;
let token: string;
let payload: JWTPayload;
beforeAll(async () => {
  good = await granted();
  token = await signTripToken(testService, ISSUER, good.claims);
  payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
});

test('a token stands for the map of its vehicle, with its window', async () => {
  expect(await verify(token)).toMatchObject({ kind: 'embed', vehicle_key: good.vehicleKey, scope: {} });
  const bounded = await signTripToken(testService, ISSUER, {
    ...good.claims,
    scope: 'loc-past-gte:2026-01-02T00:00+02:00',
  });
  expect(await verify(bounded)).toMatchObject({ scope: { gte: Date.parse('2026-01-01T22:00:00Z') } });
});

test('a privacy zone that was deleted and made again is another state of what there is to see', async () => {
  const { claims } = await granted();
  const issued = await signTripToken(testService, ISSUER, claims);
  const state = async () => {
    const caller = await verify(issued);
    return caller?.kind === 'embed' ? caller.trips_state : null;
  };
  const accessScope = accountAccessScope(testService, (await verify(issued))?.account_key ?? '');
  const make = () => createPrivacyZone(accessScope, { lat: 53, lon: 8.8, radius_meters: 150 });
  const [zone, before] = [await make(), await state()];
  expect(await state()).toBe(before);
  await deletePrivacyZone(accessScope, zone.key);
  await make();
  expect(await state()).not.toBe(before);
});

test('positions of a device that left are another state than before it came, even if it sent nothing since', async () => {
  const { claims, vehicleKey } = await granted();
  const issued = await signTripToken(testService, ISSUER, claims);
  const caller = await verify(issued);
  const stateNow = async () => Object(await verify(issued)).trips_state as string;
  const { account_key = '' } = caller ?? {};
  const put = (vehicle_key: string | null) =>
    updateDevice(accountAccessScope(testService, account_key), key, { vehicle_key });
  const { key } = await createDevice(accountAccessScope(testService, account_key), { serial: 'V-1' });
  const seen = [await stateNow()];
  for (const version of ['a', 'b']) {
    await put(vehicleKey);
    await DeviceStore.updateOne(unrestricted(testService), { key }, { trips_version: version });
    seen.push(await stateNow());
    await put(null);
    seen.push(await stateNow());
  }
  expect(new Set(seen).size).toBe(seen.length);
});

describe('a token is refused', () => {
  test.each([
    [undefined],
    ['null'],
    ['https://other.example'],
    ['http://fleet.example'],
    ['https://fleet.example:8443'],
  ])('from origin %s', async (origin) => {
    expect(await verifyTripToken(testService, token, ISSUER, origin)).toBeNull();
  });

  const forge = (header: object, claims: object = {}) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part(header)}.${part({ ...payload, ...claims })}`;
  };

  test('with algorithm none', async () => {
    const { kid } = await currentSigningKey(testService);
    expect(await verify(`${forge({ alg: 'none', typ: 'trips+jwt', kid })}.`)).toBeNull();
  });

  test('signed by HMAC with the public key', async () => {
    const { kid } = await currentSigningKey(testService);
    const [key] = (await publicKeySet(testService)).keys;
    const secret = new TextEncoder().encode(JSON.stringify(key));
    const forged = await new SignJWT(payload).setProtectedHeader({ alg: 'HS256', typ: 'trips+jwt', kid }).sign(secret);
    expect(await verify(forged)).toBeNull();
  });

  test('signed by a key of somebody else, also if it brings the key along', async () => {
    const { kid } = await currentSigningKey(testService);
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    for (const header of [{ kid }, { kid: 'unknown' }, { jwk }, { kid, jwk }]) {
      const forged = await new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', typ: 'trips+jwt', ...header })
        .sign(privateKey);
      expect(await verify(forged)).toBeNull();
    }
  });

  test.each<[string, { typ?: string; kid?: string }, JWTPayload]>([
    ['of another type', { typ: 'JWT' }, {}],
    ['without a type', { typ: undefined as unknown as string }, {}],
    ['naming no key', { kid: undefined as unknown as string }, {}],
    ['that has expired', {}, { iat: 1, exp: 3601 }],
    ['issued in the future', {}, { iat: Math.floor(Date.now() / 1000) + 600 }],
    ['of another issuer', {}, { iss: 'https://evil.example' }],
    ['with other roles', {}, { roles: 'service://<other />' }],
    ['for another kind of subject', {}, { sub: 'device:1' }],
    ['with an unknown scope', {}, { scope: 'loc-future' }],
    ['for no origin', {}, { aud: undefined as unknown as string }],
    ['for several origins', {}, { aud: [ORIGIN, 'https://other.example'] }],
    ['of an unknown grant', {}, { grant: 'unknown' }],
    ['of another app', {}, { client_id: 'unknown' }],
  ])('%s, although it is signed by us', async (_, header, claims) => {
    const { kid, privateKey } = await currentSigningKey(testService);
    const made = await new SignJWT({ ...payload, roles: TRIP_TOKEN_ROLES, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'trips+jwt', kid, ...header })
      .sign(privateKey);
    expect(await verify(made)).toBeNull();
  });

  test('when its payload or signature was altered', async () => {
    const [header = '', , signature = ''] = token.split('.');
    const other = forge({}, { sub: 'vehicle:another' }).split('.')[1];
    expect(await verify(`${header}.${other}.${signature}`)).toBeNull();
    expect(await verify(`${token.slice(0, -4)}AAAA`)).toBeNull();
    expect(await verify('a.b.c')).toBeNull();
  });
});

describe('a token is refused at the next request', () => {
  test.each<[string, (granted: Granted) => Promise<unknown>]>([
    [
      'the grant is revoked',
      ({ claims }) => OauthRecordStore.deleteOne(testService, { kind: 'Grant', id_hash: claims.grant }),
    ],
    [
      'the scope is taken from the grant',
      ({ claims }) =>
        OauthRecordStore.updateOne(testService, { kind: 'Grant', id_hash: claims.grant }, { scopes: ['account.read'] }),
    ],
    ['the app is deleted', ({ clientId }) => AppStore.deleteOne(unrestricted(testService), { client_id: clientId })],
    [
      'the user is disabled',
      ({ userKey }) => UserStore.updateOne(unrestricted(testService), { key: userKey }, { disabled: true }),
    ],
    [
      "the vehicle leaves the user's groups",
      ({ vehicleKey }) =>
        VehicleStore.updateOne(unrestricted(testService), { key: vehicleKey }, { group_keys: [], group_path: [] }),
    ],
  ])('after %s', async (_, happens) => {
    const fresh = await granted();
    const issued = await signTripToken(testService, ISSUER, fresh.claims);
    expect(await verify(issued)).not.toBeNull();
    await happens(fresh);
    expect(await verify(issued)).toBeNull();
  });
});

test('a token that was good is refused when its time is over, and at another service', async () => {
  const issued = await signTripToken(testService, ISSUER, good.claims);
  expect(await verify(issued)).not.toBeNull();
  expect(await verifyTripToken(testService, issued, 'https://other.example', ORIGIN)).toBeNull();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + TRIP_TOKEN_LIFETIME * 1000);
  expect(await verify(issued)).toBeNull();
  clock.mockRestore();
});

test('public keys carry nothing private', async () => {
  for (const key of (await publicKeySet(testService)).keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  }
});
