import { Vehicle } from '../../schema/vehicles/vehicle.ts';

import { COUNTING, storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, filterOnly, nullable, nullableUnlisted, required } from '../store/stored-fields.ts';
import { accountAccessScope } from '../store/tenancy.ts';
import { gramsOf } from '../n-grams.ts';
import { foldSerial } from './serial-grams.ts';
import type { Service } from '../store/service.ts';

/** Vehicles; their devices and drivers are read from their own stores. */
export const VehicleStore = storeOf(Vehicle, {
  collection: 'vehicles',
  tenancy: 'groups',
  computed: ['device_keys', 'devices', 'groups', 'tags', 'last_trip', 'driver', 'vehicle_location'],
  decides: ['group_keys', 'group_path'],
  logged: { kind: 'vehicle', silent: ['odometer', 'odometer_at', 'trips_revision'] },
  hidden: {
    account_key: required(String),
    /** Keys of its tags. */
    tag_keys: defaulting([String], []),
    /** The vehicle's groups and all above them. */
    group_path: defaulting([String], []),
    /** Time of the reading of its odometer by a device; null if there is none. */
    odometer_at: nullable(Date),
    /** The user who usually drives it. */
    driver_key: nullable(String),
    /** Nickname with folded letter case; made with the grams by {@link nicknameFields}. */
    nickname_folded: nullableUnlisted(String),
    /** Sequences of 1 to 3 characters in it, which find a vehicle by any part of its nickname. */
    nickname_grams: filterOnly([String]),
    /** Revision of the trips as trip maps see them: see {@link tripsChanged}. */
    trips_revision: defaulting(Number, 0),
  },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, group_path: 1, _id: 1 }],
    [{ account_key: 1, group_path: 1 }, COUNTING],
    [{ account_key: 1, nickname: 1 }],
    [{ account_key: 1, nickname_grams: 1, _id: 1 }],
    [{ account_key: 1, vin: 1 }],
    [{ account_key: 1, tag_keys: 1, _id: 1 }],
  ],
});

/** A vehicle as it is read from the database. */
export type StoredVehicle = StoredIn<typeof VehicleStore>;

/** The nickname of a vehicle with the fields that are derived from it; every writer stores what it returns. */
export function nicknameFields(nickname: string | null) {
  const nickname_folded = nickname === null ? null : foldSerial(nickname);
  return { nickname, nickname_folded, nickname_grams: gramsOf(nickname_folded ?? '') };
}

/** A reading of the odometer of a vehicle. */
export interface OdometerReading {
  readonly vehicle_key: string;
  readonly miles: number;
  readonly at: Date;
}

/**
 * Records, after a write, that the trips of vehicles of an account have changed for trip maps, so that cached answers are
 * outdated; for what a device that is in the vehicle records, its `trips_version` does. Changes inside privacy
 * zones must not be recorded: the response time of a map would reveal them. Odometers of these vehicles are stored unless later
 * readings are known.
 */
export async function tripsChanged(
  service: Service,
  accountKey: string,
  vehicleKeys: readonly string[],
  odometers: readonly OdometerReading[] = [],
): Promise<void> {
  if (vehicleKeys.length === 0) return;
  const accessScope = accountAccessScope(service, accountKey);
  const changed = { $inc: { trips_revision: 1 } };
  const read = odometers.filter(({ vehicle_key }) => vehicleKeys.includes(vehicle_key));
  if (read.length === 0) {
    await VehicleStore.updateMany(accessScope, { key: { $in: [...vehicleKeys] } }, changed);
    return;
  }
  await VehicleStore.updateEach(accessScope, [
    ...vehicleKeys.map((key) => ({ filter: { key }, update: changed })),
    ...read.map(({ vehicle_key, miles, at }) => ({
      filter: { key: vehicle_key, $or: [{ odometer_at: null }, { odometer_at: { $lt: at } }] },
      update: { $set: { odometer: miles, odometer_at: at } },
    })),
  ]);
}
