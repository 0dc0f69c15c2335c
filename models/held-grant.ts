import type { PipelineStage } from 'mongoose';

import type { App } from '../schema/app.ts';
import type { PrivacyZone } from '../schema/privacy-zone.ts';

import { AppModel } from './app.ts';
import { type Grant, OauthRecordModel } from './oauth-record.ts';
import { PrivacyZoneModel } from './privacy-zone.ts';
import { type StoredUser, UserModel } from './user.ts';
import { type StoredVehicle, VehicleModel } from './vehicle.ts';

/** A grant with its user and its app, each alone in a list, or in none that stands. */
export interface HeldGrant extends Pick<Grant, 'id_hash' | 'client_id' | 'scopes'> {
  readonly users: readonly Pick<StoredUser, 'key' | 'account_key' | 'disabled' | 'group_keys'>[];
  readonly apps: readonly Pick<App, 'scopes'>[];
}

/** What a special-purpose token hangs on: its grant, a vehicle by its key, and the zones of the account of the user. */
export interface HeldVehicle extends HeldGrant {
  /** In whoever's sight: `isInSight` tells. */
  readonly vehicles: readonly (Pick<StoredVehicle, 'account_key' | 'group_path'> &
    Partial<Pick<StoredVehicle, 'trips_revision'>>)[];
  readonly zones: readonly Pick<PrivacyZone, 'point' | 'radius_meters'>[];
}

const FIELDS = {
  id_hash: 1,
  client_id: 1,
  scopes: 1,
  'users.key': 1,
  'users.account_key': 1,
  'users.disabled': 1,
  'users.group_keys': 1,
  'apps.scopes': 1,
} as const;

/** Reads a grant with its user and its app by one command, since every request of an app asks for them. */
export async function findHeldGrant(grantHash: string): Promise<HeldGrant | undefined> {
  const [held] = await OauthRecordModel.aggregate<HeldGrant>(stagesOf(grantHash));
  return held;
}

/** Reads all that a special-purpose token hangs on by one command, since every request of a trip map asks for it. */
export async function findHeldVehicle(grantHash: string, vehicleKey: string): Promise<HeldVehicle | undefined> {
  const [vehicles, zones] = [VehicleModel.collection.name, PrivacyZoneModel.collection.name];
  const [held] = await OauthRecordModel.aggregate<HeldVehicle>([
    ...stagesOf(grantHash),
    { $addFields: { vehicle_key: { $literal: vehicleKey } } },
    { $lookup: { from: vehicles, localField: 'vehicle_key', foreignField: 'key', as: 'vehicles' } },
    { $lookup: { from: zones, localField: 'users.account_key', foreignField: 'account_key', as: 'zones' } },
  ]);
  return held;
}

function stagesOf(grantHash: string): PipelineStage[] {
  return [
    { $match: { kind: 'Grant', id_hash: grantHash } },
    { $lookup: { from: UserModel.collection.name, localField: 'user_key', foreignField: 'key', as: 'users' } },
    { $lookup: { from: AppModel.collection.name, localField: 'client_id', foreignField: 'client_id', as: 'apps' } },
    { $project: FIELDS },
  ];
}
