import { issueAccessToken } from '../../auth/grants.ts';
import { GroupStore } from '../../models/account/group.ts';
import { foldTagValue, TagStore } from '../../models/account/tag.ts';
import { UserStore } from '../../models/account/user.ts';
import { newKey } from '../../models/key.ts';
import { PlaceStore } from '../../models/places/place.ts';
import { type StoredVisit, VisitStore } from '../../models/places/visit.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { benchApp, CREATED } from '../records.ts';
import { benchTrips } from '../trips/trips-records.ts';
import { benchFleet } from '../waits/fleet-records.ts';
import type { Service } from '../../models/store/service.ts';

const HOUR_MS = 3_600_000;
/** Vehicles of a group, a tag and a driver, in an account of any size. */
const VEHICLES_OF_A_GROUP = 10;
const TRIPS_OF_A_VEHICLE = 2;
const TRIPS_OF_A_DAY = 100;
const SCOPES = ['account.read', 'account_activity.read', 'places.read', 'vehicles.read'];

/** An account whose lists are read. */
export interface ListedAccount {
  readonly key: string;
  readonly apiKey: string;
  /** A token of a user who is restricted to a group. */
  readonly accessToken: string;
  /** A group without others below it. */
  readonly groupKey: string;
  readonly tagKey: string;
  readonly vehicleKey: string;
  readonly driverKey: string;
  readonly placeKey: string;
}

/** Makes an account of some vehicles, a tenth as many users, groups, tags and places, and trips and visits of each vehicle. */
export async function listedAccount(service: Service, vehicles: number): Promise<ListedAccount> {
  const few = vehicles / VEHICLES_OF_A_GROUP;
  const fleet = await benchFleet(service, { devices: vehicles, groups: few, vehicles, users: few, subscriptions: 1 });
  const account_key = fleet.key;
  const accessScope = accountAccessScope(service, account_key);
  const inOrder = { sort: { _id: 1 } } as const;
  const found = await VehicleStore.find(accessScope, {}, 'key', { ...inOrder });
  const users = await UserStore.find(accessScope, {}, 'key', { ...inOrder });
  const group = await GroupStore.findOne(accessScope, {}, 'key group_path', { sort: { _id: -1 } });
  if (!group) throw new RangeError('The account needs a group');
  const keysOf = (records: readonly { readonly key: string }[]) => records.map(({ key }) => key);
  const [vehicleKeys, userKeys] = [keysOf(found), keysOf(users)];

  const tags = vehicleKeys.slice(0, few).map((_, number) => tagRecord(account_key, `Tag ${number}`));
  await TagStore.insertMany(accessScope, tags, { lean: true });
  const places = vehicleKeys.slice(0, few).map((_, number) => placeRecord(account_key, number));
  await PlaceStore.insertMany(accessScope, places, { lean: true });
  for (const [number, { key }] of tags.entries()) {
    const tagged = vehicleKeys.filter((_, at) => at % few === number);
    await VehicleStore.updateMany(accessScope, { key: { $in: tagged } }, { tag_keys: [key] });
  }
  const drives = { points: 20, drives: 1, perDay: TRIPS_OF_A_DAY, withPoints: false };
  const ofWhom = (number: number) => {
    return { vehicle_key: vehicleKeys[number % vehicles] ?? '', user_key: userKeys[number % few] ?? null };
  };
  const count = TRIPS_OF_A_VEHICLE * vehicles;
  await benchTrips(service, { account_key, vehicle_key: '', count, ...drives, ofWhom });
  const visits = vehicleKeys.map((vehicle_key, number) => {
    const of = { account_key, vehicle_key, driver_key: userKeys[number % few] ?? null };
    return visitRecord({ ...of, place_key: places[number % few]?.key ?? '' }, number);
  });
  await VisitStore.insertMany(accessScope, visits, { lean: true });
  const restriction = { group_keys: [group.key], group_path: [...group.group_path] };
  const { grant } = await benchApp(service, account_key, SCOPES, restriction);
  return {
    key: account_key,
    apiKey: fleet.apiKey,
    accessToken: await issueAccessToken(service, grant),
    groupKey: group.key,
    tagKey: tags[0]?.key ?? '',
    vehicleKey: vehicleKeys[0] ?? '',
    driverKey: userKeys[0] ?? '',
    placeKey: places[0]?.key ?? '',
  };
}

function tagRecord(account_key: string, value: string) {
  const fields = { key: newKey(), account_key, color: '#2f6f4f', created: CREATED, updated: CREATED };
  return { ...fields, value, value_folded: foldTagValue(value), type: 'Car' as const };
}

function placeRecord(account_key: string, number: number) {
  return {
    ...{
      key: newKey(),
      account_key,
      name: `Place ${number}`,
      category: 'other' as const,
      active_weekdays: [0, 1, 2, 3, 4, 5, 6],
    },
    ...{ point: { lat: 40 + number / 1000, lon: 8 }, radius: 40, polygon: [], area_since: CREATED, former_areas: [] },
    ...{ from_time: null, to_time: null, time_zone: 'UTC', notifying_arrival: true, notifying_departure: true },
    ...{ created: CREATED, updated: CREATED },
  } as const;
}

function visitRecord(
  of: Pick<StoredVisit, 'account_key' | 'vehicle_key' | 'driver_key' | 'place_key'>,
  number: number,
) {
  const entry_timestamp = new Date(CREATED.getTime() + number * HOUR_MS);
  const until = new Date(entry_timestamp.getTime() + HOUR_MS);
  const point = { lat: 40, lon: 8 };
  return {
    ...{ ...of, key: newKey(), device_key: 'bench', staged: false, epoch: 0 },
    ...{ entry_timestamp, exit_timestamp: until, until, entry_point: point, exit_point: point },
  };
}
