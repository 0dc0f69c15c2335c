import type { PipelineStage } from 'mongoose';

import { AppStore, type StoredApp } from '../account/app.ts';
import { fillDefaults } from '../store/defaults-on-read.ts';
import { SharedReads } from '../shared-reads.ts';
import { joinAll, joinOne, projectOf } from '../store/join-stages.ts';
import { type Grant, type OauthKind, type OauthRecord, OauthRecordStore } from './oauth-record.ts';
import { DeviceStore } from '../vehicles/device.ts';
import { type HidingZone, PrivacyZoneStore } from '../vehicles/privacy-zone.ts';
import { SigningKeyStore } from './signing-key.ts';
import { type StoredUser, UserStore } from '../account/user.ts';
import { type StoredVehicle, VehicleStore } from '../vehicles/vehicle.ts';
import { perService, type Service } from '../store/service.ts';

/** A grant with its user and its app. */
export interface HeldGrant extends Pick<Grant, 'id_hash' | 'client_id' | 'scopes'> {
  readonly user: Pick<StoredUser, 'key' | 'account_key' | 'disabled' | 'group_keys' | 'account_role'>;
  readonly app: Pick<StoredApp, 'scopes'>;
}

/** An access token with its grant. */
export interface HeldToken extends Pick<OauthRecord, 'scopes' | 'expires_at'> {
  readonly grant: HeldGrant;
}

/** A token or code as it is stored, with its grant. */
interface HeldRecord extends Pick<OauthRecord, keyof typeof RECORD_FIELDS> {
  readonly grant: HeldGrant;
}

/** An access token with its grant, and the other records for issuing a special-purpose token. */
export interface HeldTokenOfApp extends HeldToken {
  readonly grant: HeldGrant & { readonly app: Pick<StoredApp, 'scopes' | 'secret_hash'> };
  /** The vehicle with a key, of any account: `isAccessible` checks access to it; undefined if there is none. */
  readonly vehicle: Pick<StoredVehicle, 'account_key' | 'group_path'> | undefined;
}

/** Records that a special-purpose token depends on: its grant, its vehicle, and the privacy zones of the user's account. */
export interface HeldVehicle extends HeldGrant {
  /** Of any account: `isAccessible` checks access to it. */
  readonly vehicle: Pick<StoredVehicle, 'account_key' | 'group_path'> & Partial<Pick<StoredVehicle, 'trips_revision'>>;
  readonly zones: readonly HidingZone[];
  /** Versions of the positions of its devices. */
  readonly trips_versions: readonly (string | null)[];
}

const TOKEN_FIELDS = { scopes: 1, expires_at: 1 } as const;
const RECORD_FIELDS = { ...TOKEN_FIELDS, created: 1, consumed: 1, details: 1, grant_hash: 1 } as const;
const GRANT_FIELDS = { id_hash: 1, client_id: 1, scopes: 1 } as const;
const USER_FIELDS = { key: 1, account_key: 1, disabled: 1, group_keys: 1, account_role: 1 } as const;
const APP_FIELDS = { scopes: 1 } as const;
const VEHICLE_FIELDS = { account_key: 1, group_path: 1 } as const;

const tokenReads = perService(() => new SharedReads<HeldToken | undefined>());

/** Reads an access token with its grant, user and app by one command, since every request of an app needs them. */
export function findHeldToken(service: Service, idHash: string): Promise<HeldToken | undefined> {
  return tokenReads(service).read(idHash, async () => {
    const [held] = await OauthRecordStore.aggregate<HeldToken>(service, [
      ...tokenStages('AccessToken', idHash),
      projectOf({ ...TOKEN_FIELDS, grant: { ...GRANT_FIELDS, user: USER_FIELDS, app: APP_FIELDS } }),
    ]);
    return held && tokenOfToday(held);
  });
}

/** Reads a token or code as it is stored, with its grant, user and app, by one command. */
export async function findHeldRecord(
  service: Service,
  kind: OauthKind,
  idHash: string,
): Promise<HeldRecord | undefined> {
  const [held] = await OauthRecordStore.aggregate<HeldRecord>(service, [
    ...tokenStages(kind, idHash),
    projectOf({ ...RECORD_FIELDS, grant: { ...GRANT_FIELDS, user: USER_FIELDS, app: APP_FIELDS } }),
  ]);
  if (!held) return undefined;
  fillDefaults(OauthRecordStore.schema, held, RECORD_FIELDS);
  asOfToday(held.grant);
  return held;
}

/** Reads an access token, the secret of its app and a vehicle by one command, for the endpoint that issues map tokens. */
export async function findHeldTokenOfApp(
  service: Service,
  idHash: string,
  vehicleKey: string,
): Promise<HeldTokenOfApp | undefined> {
  const app = { ...APP_FIELDS, secret_hash: 1 } as const;
  const [held] = await OauthRecordStore.aggregate<HeldTokenOfApp>(service, [
    ...tokenStages('AccessToken', idHash),
    { $addFields: { vehicle_key: { $literal: vehicleKey } } },
    joinAll(VehicleStore.collection, 'vehicle_key', 'key', 'vehicle'),
    { $unwind: { path: '$vehicle', preserveNullAndEmptyArrays: true } },
    projectOf({ ...TOKEN_FIELDS, vehicle: VEHICLE_FIELDS, grant: { ...GRANT_FIELDS, user: USER_FIELDS, app } }),
  ]);
  if (!held) return undefined;
  if (held.vehicle) fillDefaults(VehicleStore.schema, held.vehicle, VEHICLE_FIELDS);
  return tokenOfToday(held);
}

/** Reads a grant with its user and its app by one command. */
export async function findHeldGrant(service: Service, grantHash: string): Promise<HeldGrant | undefined> {
  const [held] = await OauthRecordStore.aggregate<HeldGrant>(service, stagesOf(grantHash));
  return held && asOfToday(held);
}

const vehicleReads = perService(() => new SharedReads<HeldVehicle | undefined>());

/** Reads all that a special-purpose token needs by one command; nothing if the key `kid`, which signed it, is gone. */
export function findHeldVehicle(
  service: Service,
  grantHash: string,
  vehicleKey: string,
  kid: string,
): Promise<HeldVehicle | undefined> {
  return vehicleReads(service).read(`${grantHash} ${vehicleKey} ${kid}`, async () => {
    const [held] = await OauthRecordStore.aggregate<HeldVehicle>(service, [
      ...stagesOf(grantHash),
      { $addFields: { vehicle_key: { $literal: vehicleKey }, kid: { $literal: kid } } },
      ...joinOne(SigningKeyStore.collection, 'kid', 'kid', 'signing_key'),
      { $project: { signing_key: 0 } },
      ...joinOne(VehicleStore.collection, 'vehicle_key', 'key', 'vehicle'),
      joinAll(PrivacyZoneStore.collection, 'user.account_key', 'account_key', 'zones'),
      joinAll(DeviceStore.collection, 'vehicle_key', 'vehicle_key', 'devices'),
      { $addFields: { trips_versions: '$devices.trips_version' } },
      { $project: { devices: 0 } },
    ]);
    if (!held) return undefined;
    fillDefaults(VehicleStore.schema, held.vehicle);
    fillDefaults(PrivacyZoneStore.schema, held.zones);
    return asOfToday(held);
  });
}

/** Joins a token or code with its grant, and that with its user and its app. */
function tokenStages(kind: OauthKind, idHash: string): PipelineStage[] {
  return [
    { $match: { kind, id_hash: idHash } },
    ...joinOne(OauthRecordStore.collection, 'grant_hash', 'id_hash', 'grant'),
    { $match: { 'grant.kind': 'Grant' } },
    ...userAndApp('grant.'),
  ];
}

function tokenOfToday<Held extends HeldToken>(held: Held): Held {
  fillDefaults(OauthRecordStore.schema, held, TOKEN_FIELDS);
  asOfToday(held.grant);
  return held;
}

/** Fills in the defaults of fields that an older program did not store. */
function asOfToday<Held extends HeldGrant>(held: Held): Held {
  fillDefaults(OauthRecordStore.schema, held, GRANT_FIELDS);
  fillDefaults(UserStore.schema, held.user, USER_FIELDS);
  fillDefaults(AppStore.schema, held.app, APP_FIELDS);
  return held;
}

/** Joins the user and the app of a grant, which is the document itself or its field `grant`. */
function userAndApp(grant: '' | 'grant.'): PipelineStage[] {
  return [
    ...joinOne(UserStore.collection, `${grant}user_key`, 'key', `${grant}user`),
    ...joinOne(AppStore.collection, `${grant}client_id`, 'client_id', `${grant}app`),
  ];
}

function stagesOf(grantHash: string): PipelineStage[] {
  return [
    { $match: { kind: 'Grant', id_hash: grantHash } },
    ...userAndApp(''),
    projectOf({ ...GRANT_FIELDS, user: USER_FIELDS, app: APP_FIELDS }),
  ];
}
