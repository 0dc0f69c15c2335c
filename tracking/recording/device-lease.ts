import { setTimeout as pause } from 'node:timers/promises';

import { newKey } from '../../models/key.ts';
import { newMark } from '../../models/store/change-mark.ts';
import { DeviceStore, type LastSeen, type StoredDevice, type StoredTail } from '../../models/vehicles/device.ts';
import { type NewTail, storedTail } from '../../models/vehicles/device-tail.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';
import type { TripLimits } from '../../models/trips/trip-limits.ts';
import { leaseLost } from '../../models/trips/lease-lost.ts';
import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';

import { isLeaseOver, LEASE_MS } from '../../models/leases/is-lease-over.ts';
import { newHolder } from '../../models/leases/lease-holder.ts';
import { perService, type Service } from '../../models/store/service.ts';

/** Interval at which a holder renews its lease, in milliseconds. */
const RENEW_EVERY_MS = 2000;
/** Maximum time to wait for other holders of the same lease, and interval of the checks, in milliseconds. */
const WAIT_MS = 20_000;
const LOOK_EVERY_MS = 20;
/** Time until a device is checked again after a worker lost its lease, in milliseconds: it may have left work. */
const LOOK_AGAIN_MS = 3_600_000;

/** Outcome of the work under a lease. */
export interface LeaseOutcome<Result> {
  readonly result: Result;
  /** True if the device has sent something. */
  readonly isSeen: boolean;
  /** Milliseconds until the device must be checked again, unless it sends before; null for never. */
  readonly dueIn: number | null;
  /** The end of the recording that positions may continue without the lease; null, or omitted, if none may. */
  readonly tail?: NewTail | null;
  /** Position and readings of the device from now on, if it is still in the vehicle; they stay if this is omitted. */
  readonly seen?: LastSeen;
  /** True if trip maps of the vehicle are outdated, of a device that is `seen`. */
  readonly isShown?: boolean;
  /**
   * Work that may be done after the response, under the same lease: everything is stored and visible without it. If it is
   * interrupted, it is completed like all work under a lease.
   */
  readonly afterwards?: (() => Promise<void>) | null;
}

/** A lease of a device: no other process works on its trips until it is released or expires. */
export interface DeviceLease {
  /** The fencing token: greater than that of every earlier holder that may still be writing. */
  readonly epoch: number;
  /** True if an earlier holder may still be writing: minutes and trips must be taken over before they are read. */
  readonly isNewEpoch: boolean;
  /** The vehicle for which the previous holder did not finish, after a fault or a kill; null if it did. */
  readonly interrupted: string | null;
  /** The tail of the device, as it was when the lease was taken; null if there is none. */
  readonly tail: StoredTail | null;
  /** Last position and readings of the device; only the holder of the lease changes them. */
  readonly seen: LastSeen;
  /** Removes the positions in the tail, which have been moved to minutes. */
  clearTail(): Promise<void>;
  /**
   * Confirms that the lease is still held, and marks the device: its trips are being cut again.
   *
   * @throws ServiceError SERVICE_UNAVAILABLE if it is gone
   */
  confirm(): Promise<void>;
}

/** A device, and the vehicle whose trips are to be worked on: the one that it is in, or was in. */
export interface RecordingDevice {
  readonly key: string;
  readonly account_key: string;
  readonly vehicle_key: string;
  /** Limits by which its trips begin and end; read if it is needed, unless given. */
  readonly limits?: TripLimits;
  /** True if the device has left the vehicle: the positions are late ones. */
  readonly hasLeft?: boolean;
}

const queues = perService(() => new Map<string, Promise<unknown>>());

/** Options for taking a lease. */
export interface LeaseOptions {
  /** True to take it only if the device is due for a check. */
  readonly onlyIfDue?: boolean;
  /** True to take it only if no one else holds it. */
  readonly onlyIfFree?: boolean;
  /** True if the first write may already hide positions of a trip, until trips are cut again. */
  readonly isRearranging?: boolean;
}

/**
 * Works on the positions of a device while no other worker does, in any process: the device stores the
 * holder's name. A holder presumed dead may continue, but everything it then writes is rejected because of its epoch.
 * @returns the result of the work; undefined if the device is gone, not due, or not free
 * @throws ServiceError SERVICE_UNAVAILABLE if others work on the device for too long, or have taken over
 */
export async function withDeviceLease<Result>(
  service: Service,
  device: RecordingDevice,
  { onlyIfDue = false, onlyIfFree = onlyIfDue, isRearranging = false }: LeaseOptions,
  work: (lease: DeviceLease) => Promise<LeaseOutcome<Result>>,
): Promise<Result | undefined> {
  const { key, account_key } = device;
  const before = queues(service).get(key);
  const giveUp = performance.now() + WAIT_MS;
  const accessScope = accountAccessScope(service, account_key);
  return new Promise((answer, fail) => {
    const turn = (async () => {
      if (before) await endOf(before, WAIT_MS);
      answer(await inTurn(device, { accessScope, onlyIfDue, onlyIfFree, isRearranging, giveUp }, work, answer));
    })();
    queues(service).set(key, turn);
    // The caller already has its answer if later work fails: the lease expires, and another worker completes it.
    const ended = () => {
      if (queues(service).get(key) === turn) queues(service).delete(key);
    };
    turn.catch(fail).finally(ended);
  });
}

/** Waits until all work of this process under leases has ended, including that after responses. */
export async function leasedWorkEnded(service: Service): Promise<void> {
  while (queues(service).size > 0) await Promise.allSettled(queues(service).values());
}

/** Number of devices whose lease this process holds, or waits for. */
export function leasedDevices(service: Service): number {
  return queues(service).size;
}

interface Turn extends Required<LeaseOptions> {
  readonly accessScope: AccessScope;
  /** Time until which others may continue, as `performance.now()`. */
  readonly giveUp: number;
}

async function inTurn<Result>(
  device: RecordingDevice,
  turn: Turn,
  work: (lease: DeviceLease) => Promise<LeaseOutcome<Result>>,
  answer: (result: Result) => void,
): Promise<Result | undefined> {
  const { accessScope } = turn;
  const { key } = device;
  const by = newHolder();
  const taken = await take(device, by, turn);
  if (taken === null) return undefined;
  const mine = { key, 'care.by': by };
  /** Changes the device while the lease is held; throws if it is gone. */
  const change = async (update: Record<string, unknown>) => {
    const { matchedCount } = await DeviceStore.updateOne(accessScope, mine, update);
    if (matchedCount === 0) throw leaseLost();
  };
  const timer = setInterval(() => void change({ 'care.until': leaseUntil() }).catch(() => undefined), RENEW_EVERY_MS);
  try {
    const confirm = () => change({ 'care.until': leaseUntil(), 'care.rearranging': true });
    const clearTail = () => change({ tail: null });
    const outcome = await work({ ...taken, confirm, clearTail });
    const { result, isSeen, dueIn, tail = null, seen, isShown = false, afterwards } = outcome;
    const now = Date.now();
    const store = async (fields: Record<string, unknown>) => {
      const sent = isSeen && { $max: { last_transmission: new Date(now) } };
      const $set = { ...fields, ...(isSeen && { growth_mark: newMark() }) };
      if (seen) {
        const there = { ...mine, vehicle_key: device.vehicle_key };
        const { matchedCount } = await DeviceStore.updateOne(accessScope, there, {
          $set: { ...$set, ...seen, ...(isShown && { trips_version: newKey() }) },
          ...sent,
        });
        if (matchedCount > 0) return;
        // The versions of devices are those of the vehicle that they are in.
        if (isShown) await tripsChanged(accessScope.service, device.account_key, [device.vehicle_key]);
      }
      await change({ $set, ...sent });
    };
    const care = dueIn === null ? null : { by: null, until: new Date(now + dueIn) };
    const released = { care, tail: tail && storedTail(tail) };
    if (afterwards) {
      await store({ 'care.until': leaseUntil(), tail: null });
      answer(result);
      await afterwards();
      await change(released);
    } else {
      await store(released);
    }
    return result;
  } catch (error) {
    await change({ 'care.until': new Date(0) }).catch(() => lookAgain(key, accessScope));
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Schedules another check of a device unless one is scheduled. */
async function lookAgain(key: string, accessScope: AccessScope): Promise<void> {
  const care = { by: null, until: new Date(Date.now() + LOOK_AGAIN_MS) };
  await DeviceStore.updateOne(accessScope, { key, care: null }, { care }).catch(() => undefined);
}

/** Waits until work has ended, successfully or not, for a limited time in milliseconds. */
async function endOf(work: Promise<unknown>, max: number): Promise<void> {
  const ended = new AbortController();
  const timeout = pause(max, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), timeout]);
  ended.abort();
}

function leaseUntil(): Date {
  return new Date(Date.now() + LEASE_MS);
}

type TakenLease = Omit<DeviceLease, 'confirm' | 'clearTail'>;

async function take(device: RecordingDevice, by: string, turn: Turn): Promise<TakenLease | null> {
  const { accessScope, onlyIfFree, giveUp } = turn;
  for (;;) {
    const taken = (await takeFree(device, by, turn)) ?? (await takeOver(device, by, turn));
    if (taken) return taken;
    const held = await DeviceStore.findOne(accessScope, { key: device.key }, 'care');
    const isOver = await endIfOver(accessScope, device.key, held?.care);
    if (held === null || (onlyIfFree && !isOver)) return null;
    if (performance.now() > giveUp) throw leaseLost();
    if (!isOver) await pause(LOOK_EVERY_MS);
  }
}

/** Lets a lease expire that its holder does not renew: its time may be that of a clock that was ahead. Returns true if it has ended. */
export async function endIfOver(
  accessScope: AccessScope,
  key: string,
  care: StoredDevice['care'] | undefined,
): Promise<boolean> {
  if (typeof care?.by !== 'string' || !isLeaseOver(care.by, care.until)) return false;
  const held = { key, 'care.by': care.by, 'care.until': care.until };
  await DeviceStore.updateOne(accessScope, held, { 'care.until': new Date(0) });
  return true;
}

/** Takes a lease that was released by a worker on the same vehicle: no other writer exists. */
async function takeFree(
  { key, vehicle_key }: RecordingDevice,
  by: string,
  { accessScope, onlyIfDue, isRearranging }: Turn,
): Promise<TakenLease | null> {
  const isDue = onlyIfDue && { 'care.until': { $lte: new Date() } };
  const before = await DeviceStore.findOneAndUpdate(
    accessScope,
    { key, 'care.by': null, lease_vehicle: { $in: [vehicle_key, null] }, ...isDue },
    { care: { by, until: leaseUntil(), rearranging: isRearranging }, lease_vehicle: vehicle_key },
    { returnDocument: 'before', projection: `lease_epoch ${TAKEN_FIELDS}` },
  );
  if (!before) return null;
  return { epoch: before.lease_epoch, isNewEpoch: false, interrupted: null, ...takenWith(before) };
}

/** Takes a lease that has expired, or that was released by a worker on another vehicle, and begins an epoch. */
async function takeOver(
  { key, vehicle_key }: RecordingDevice,
  by: string,
  { accessScope, onlyIfDue }: Turn,
): Promise<TakenLease | null> {
  const isDue = { 'care.until': { $lte: new Date() } };
  const isFree = onlyIfDue ? isDue : { $or: [{ 'care.by': null }, isDue] };
  const before = await DeviceStore.findOneAndUpdate(
    accessScope,
    { key, ...isFree },
    {
      $set: { care: { by, until: leaseUntil(), rearranging: true }, lease_vehicle: vehicle_key },
      $inc: { lease_epoch: 1 },
    },
    { returnDocument: 'before', projection: `care lease_epoch lease_vehicle ${TAKEN_FIELDS}` },
  );
  if (!before) return null;
  const interrupted = typeof before.care?.by === 'string' ? (before.lease_vehicle ?? vehicle_key) : null;
  return { epoch: before.lease_epoch + 1, isNewEpoch: true, interrupted, ...takenWith(before) };
}

const TAKEN_FIELDS = 'tail position seen_outside odometer';

function takenWith({ tail = null, position, seen_outside, odometer }: LastSeen & Pick<StoredDevice, 'tail'>) {
  return { tail, seen: { position, seen_outside, odometer } };
}
