import { issueIngestKey } from '../../auth/ingest-keys.ts';
import { newKey } from '../../models/key.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { addPosts } from '../content/content-records.ts';
import { PAGE_ORIGIN } from '../trips/trip-map-request.ts';
import { withService } from '../bench-service.ts';
import { benchVehicles } from '../records.ts';
import { benchTrips } from '../trips/trips-records.ts';
import { benchFleet, type Fleet } from './fleet-records.ts';

/** Devices of the account with few. */
export const FEW_DEVICES = 100;
const POSTS = 10_000;

/** Records that requests name. */
export interface WaitRecords {
  /** An account with many devices, to which all but the other account belongs. */
  readonly many: Fleet;
  /** An account with {@link FEW_DEVICES}. */
  readonly few: Fleet;
  /** A vehicle with 1,000 trips of 1,000 positions on one day. */
  readonly busyVehicle: string;
  /** A special-purpose token for it. */
  readonly mapToken: string;
  /** A trip of 100,000 positions. */
  readonly longTripKey: string;
  /** Key of a device. */
  readonly ingestKey: string;
}

/**
 * Stores records in a data folder, before a service starts on it.
 *
 * @param issuer of the token
 */
export function waitRecords(folder: string, devices: number, issuer: string): Promise<WaitRecords> {
  return withService({ DATA_DIR: folder }, async (service) => {
    const size = { users: 5, subscriptions: 5 };
    const few = await benchFleet(service, { ...size, devices: FEW_DEVICES, groups: 10, vehicles: 20 });
    const many = await benchFleet(service, { ...size, devices, groups: 10_000, vehicles: 2000, users: 500 });
    const busyVehicle = await benchVehicles(service, many.key, 1);
    const longVehicle = await benchVehicles(service, many.key, 1);
    const trips = { account_key: many.key, perDay: 1000, withPoints: true };
    await benchTrips(service, { ...trips, vehicle_key: busyVehicle, count: 1000, points: 1000, drives: 40 });
    await benchTrips(service, { ...trips, vehicle_key: longVehicle, count: 1, points: 100_000, drives: 1 });
    const long = await TripStore.findOne(unrestricted(service), { vehicle_key: longVehicle }, { key: 1 });
    await addPosts(service, 0, POSTS);
    const device = { account_key: many.key, device_key: many.deviceKey };
    const { secret: ingestKey } = await issueIngestKey(service, device);
    const mapToken = await many.tripToken(busyVehicle, issuer, PAGE_ORIGIN);
    return { many, few, busyVehicle, mapToken, longTripKey: long?.key ?? newKey(), ingestKey };
  });
}
