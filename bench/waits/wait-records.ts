import { issueIngestKey } from '../../auth/ingest-keys.ts';
import { newKey } from '../../models/key.ts';
import { SecurityEventStore } from '../../models/account/security-event.ts';
import type { Service } from '../../models/store/service.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { ShareStore } from '../../models/shares/share.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { IngestRejectionStore } from '../../models/vehicles/ingest-rejection.ts';
import { WebhookStore } from '../../models/webhooks/webhook.ts';
import { WebhookDeliveryStore } from '../../models/webhooks/webhook-delivery.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { benchSite } from '../content/content-records.ts';
import { type ListedAccount, listedAccount } from '../lists/list-records.ts';
import { PAGE_ORIGIN } from '../trips/trip-map-request.ts';
import { withService } from '../bench-service.ts';
import { benchVehicles, CREATED } from '../records.ts';
import { benchTrips } from '../trips/trips-records.ts';
import type { ListKeys } from './every-list.ts';
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
  /** A vehicle without trips. */
  readonly importVehicle: string;
  /** An account with more than a largest page of most records. */
  readonly listed: ListedAccount;
  /** Keys of its records that lists name, by argument. */
  readonly listKeys: ListKeys;
  /** Path of a post of the website. */
  readonly postPath: string;
}

/** Vehicles of the account whose lists are read, ten times as many as its users, groups, tags and places. */
const LISTED_VEHICLES = 10_000;
/** Records of the kinds of which each account has some. */
const LISTED = 1000;

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
    const importVehicle = await benchVehicles(service, many.key, 1);
    const { page: postPath } = await benchSite(service, POSTS);
    const listed = await listedAccount(service, LISTED_VEHICLES);
    const listKeys = await listedRecords(service, listed);
    const device = { account_key: many.key, device_key: many.deviceKey };
    const { secret: ingestKey } = await issueIngestKey(service, device);
    const mapToken = await many.tripToken(busyVehicle, issuer, PAGE_ORIGIN);
    return {
      postPath,
      many,
      few,
      busyVehicle,
      mapToken,
      longTripKey: long?.key ?? newKey(),
      ingestKey,
      importVehicle,
      listed,
      listKeys,
    };
  });
}

/** Stores a vehicle with many trips, one of many positions among them, and a webhook with deliveries; returns their keys. */
async function listedRecords(service: Service, { key: account_key, vehicleKey }: ListedAccount): Promise<ListKeys> {
  const accessScope = accountAccessScope(service, account_key);
  const trips = { account_key, vehicle_key: vehicleKey, drives: 1, perDay: 10 };
  await benchTrips(service, { ...trips, count: LISTED, points: 100, withPoints: false });
  await benchTrips(service, { ...trips, count: 1, points: 3 * LISTED, withPoints: true });
  const trip = await TripStore.findOne(unrestricted(service), { vehicle_key: vehicleKey }, 'key', {
    sort: { _id: -1 },
  });
  const device = await DeviceStore.findOne(accessScope, { vehicle_key: vehicleKey }, 'key');
  const [webhook_key, device_key] = [newKey(), device?.key ?? ''];
  const common = { account_key, created: CREATED, updated: CREATED };
  const webhook = { ...common, key: webhook_key, url: 'https://a.example', events: [], client_id: null };
  await WebhookStore.driver(service).insertOne({ ...webhook, status: 'paused', notice: null });
  const each = (make: (number: number) => object) => Array.from({ length: LISTED }, (_, number) => make(number));
  const expires = new Date(Date.now() + 30 * 86_400_000);
  const records: readonly (readonly [Pick<typeof ShareStore, 'driver'>, (number: number) => object])[] = [
    [
      WebhookDeliveryStore,
      (number) => ({
        ...{ key: newKey(), account_key, webhook_key, vehicle_key: vehicleKey, device_key, driver_key: null },
        ...{ event: 'trip_end', event_key: `trip_end.${number}`, number, sequence: number, status: 'delivered' },
        ...{ timestamp: new Date(), created: new Date(), attempts: [], retracts: false, rejections: 0, failures: 0 },
        ...{ next_attempt: null, body: 'x'.repeat(500) },
      }),
    ],
    [
      ShareStore,
      () => ({
        ...{ ...common, key: newKey(), secret_hash: newKey(), vehicle_key: vehicleKey, trip_key: null, expires },
        ...{ ends_with_trip: false, opened_count: 0, last_opened: null },
      }),
    ],
    [
      IngestRejectionStore,
      (number) => ({
        ...{ account_key, key: newKey(), device_key: null, serial: `SN-${number}`, reason: 'unknown_device' },
        ...{ path: 'traccar', count: 1, detail: 'unknown', sample: null, first: new Date(), last: new Date() },
      }),
    ],
    [
      SecurityEventStore,
      () => ({
        ...{ account_key, key: newKey(), kind: 'api_key_created', time: CREATED, count: 1, actor: 'owner' },
        ...{ user_key: null, subject: newKey(), network: null, browser: null, once: null, expires_at: expires },
      }),
    ],
  ];
  for (const [store, make] of records) await store.driver(service).insertMany(each(make));
  return { vehicle_key: vehicleKey, device_key, trip_key: trip?.key ?? '', webhook_key };
}
