import { DeviceStore } from '../../models/vehicles/device.ts';
import { serialFields } from '../../models/vehicles/serial-grams.ts';
import { GroupStore, type StoredGroup } from '../../models/account/group.ts';
import { newKey } from '../../models/key.ts';
import { BillingSubscriptionStore } from '../../models/account/billing-subscription.ts';
import { UserStore } from '../../models/account/user.ts';
import { nicknameFields, VehicleStore } from '../../models/vehicles/vehicle.ts';
import { type BenchAccount, benchAccount, CREATED, insertNumbered } from '../records.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import type { Service } from '../../models/store/service.ts';

/** Groups directly below a group. */
const BRANCHES = 10;
const STATUSES = ['installed', 'installed', 'installed', 'pending', 'removed'] as const;

/** Numbers of the records of an account. */
interface FleetSize {
  readonly devices: number;
  readonly groups: number;
  readonly vehicles: number;
  readonly users: number;
  readonly subscriptions: number;
}

/** An account with a fleet. */
export interface Fleet extends BenchAccount {
  /** A device that is installed, in a vehicle. */
  readonly deviceKey: string;
  /** A part that few serials have. */
  readonly rarePart: string;
}

/** Groups of a member, as they are stored. */
interface Membership {
  readonly account_key: string;
  readonly group_keys: string[];
  readonly group_path: string[];
}

/** Makes an account with devices and vehicles in a tree of groups, each group with as many as any other. */
export async function benchFleet(service: Service, size: FleetSize): Promise<Fleet> {
  const account = await benchAccount(service);
  const groups = groupRecords(account.key, size.groups);
  await GroupStore.insertMany(unrestricted(service), groups, { lean: true });
  const memberOf = (number: number): Membership => {
    const group = groups[number % groups.length];
    if (!group) throw new RangeError('A fleet needs a group');
    return { account_key: account.key, group_keys: [group.key], group_path: [...group.group_path] };
  };
  const vehicles = numbers(size.vehicles).map((number) => ({ ...vehicleRecord(number), ...memberOf(number) }));
  await insertNumbered(VehicleStore, service, size.vehicles, (number) => vehicles[number] as (typeof vehicles)[number]);
  const userOf = (number: number) => ({ ...userRecord(), ...memberOf(number) });
  await insertNumbered(UserStore, service, size.users, userOf);
  const subscriptions = numbers(size.subscriptions).map((number) => subscriptionRecord(account.key, number));
  await BillingSubscriptionStore.insertMany(unrestricted(service), subscriptions, { lean: true });
  const deviceOf = (number: number) => ({
    ...deviceRecord(number),
    ...memberOf(number),
    vehicle_key: vehicles[number]?.key ?? null,
    subscription_key: subscriptions[number % subscriptions.length]?.key ?? null,
  });
  const first = deviceOf(0);
  await insertNumbered(DeviceStore, service, size.devices, (number) => (number === 0 ? first : deviceOf(number)));
  return { ...account, deviceKey: first.key, rarePart: first.serial.slice(3, 9) };
}

/** A tree from one group down, in the order in which it grows. */
function groupRecords(account_key: string, count: number): Omit<StoredGroup, '_id'>[] {
  const groups: Omit<StoredGroup, '_id'>[] = [];
  for (let number = 0; number < count; number++) {
    const parent = number === 0 ? undefined : groups[Math.floor((number - 1) / BRANCHES)];
    const key = newKey();
    groups.push({
      ...{ key, name: `Group ${number}`, active: true, created: CREATED, updated: CREATED, account_key },
      parent_key: parent?.key ?? null,
      group_path: [...(parent?.group_path ?? []), key],
      tree_depth: (parent?.tree_depth ?? 1) + 1,
      revision: 0,
      moved_at: null,
    });
  }
  return groups;
}

/** A device without its groups, vehicle and subscription. */
function deviceRecord(number: number) {
  return {
    key: newKey(),
    ...serialFields(serialOf(number)),
    status: STATUSES[number % STATUSES.length] ?? 'installed',
    last_transmission: null,
    subscription_status: 'active' as const,
  };
}

/** A serial of each number: ten digits without an order, of which a part of six is in few others. */
function serialOf(number: number): string {
  const mixed = (BigInt(number + 1) * 6_364_136_223_846_793_005n) % 2n ** 64n;
  return `WB-${mixed.toString(16).toUpperCase().padStart(16, '0').slice(0, 10)}`;
}

function vehicleRecord(number: number) {
  return { key: newKey(), ...nicknameFields(`Van ${number}`), created: CREATED };
}

function userRecord() {
  return { key: newKey(), email: null, disabled: false, created: CREATED };
}

function subscriptionRecord(account_key: string, number: number) {
  const plan = { key: `plan-${number}`, name: `Plan ${number}`, billing_period: 'month' as const };
  return { key: newKey(), account_key, plan, status: 'active' as const, started_at: CREATED, ends_at: null };
}

/** Whole numbers from 0 to below a count. */
function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}
