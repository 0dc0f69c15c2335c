import { setTimeout as pause } from 'node:timers/promises';

import { DeviceModel } from '../../models/device.ts';
import { newKey } from '../../models/key.ts';
import type { Sight } from '../../models/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';

/** Who works on a device and says nothing of it for longer has given up, or was killed. */
const CARE_MS = 6000;
/** How often who works says so. */
const SAY_EVERY_MS = 2000;
/** How long to wait for others who work on the same device, and how often to look. */
const WAIT_MS = 20_000;
const LOOK_EVERY_MS = 20;

/** How the work ends. */
export interface CareOutcome<Result> {
  readonly result: Result;
  /** Whether the device was heard. */
  readonly isHeard: boolean;
  /** In how many milliseconds somebody must look at the device again, unless it is heard before; null for never. */
  readonly dueIn: number | null;
}

const queues = new Map<string, Promise<unknown>>();

/**
 * Works on the positions of a device while nobody else does, in this process or another: the device itself carries the
 * name of who works. Positions are safe without this, as minutes are written by revision; it keeps their trips in order.
 *
 * @param work is told whether the one before did not finish, by a fault or a kill: its work must be completed first
 * @returns what the work answers; undefined where the device is gone, or is not due
 * @throws ServiceError SERVICE_UNAVAILABLE where others work on the device for too long
 */
export async function careFor<Result>(
  device: { readonly key: string },
  { sight, onlyIfDue = false }: { readonly sight: Sight; readonly onlyIfDue?: boolean },
  work: (isUnfinished: boolean) => Promise<CareOutcome<Result>>,
): Promise<Result | undefined> {
  const before = queues.get(device.key);
  const giveUp = Date.now() + WAIT_MS;
  const turn = (async () => {
    if (before) await endOf(before, WAIT_MS);
    return inTurn(device.key, { sight, onlyIfDue, giveUp }, work);
  })();
  queues.set(device.key, turn);
  try {
    return await turn;
  } finally {
    if (queues.get(device.key) === turn) queues.delete(device.key);
  }
}

/** What a turn is taken with. */
interface Turn {
  readonly sight: Sight;
  readonly onlyIfDue: boolean;
  /** Until when others may go on, in milliseconds since 1970. */
  readonly giveUp: number;
}

async function inTurn<Result>(
  key: string,
  turn: Turn,
  work: (isUnfinished: boolean) => Promise<CareOutcome<Result>>,
): Promise<Result | undefined> {
  const { sight } = turn;
  const by = newKey();
  const taken = await take(key, by, turn);
  if (taken === null) return undefined;
  const mine = { key, 'care.by': by };
  const say = (until: Date) => DeviceModel.updateOne(mine, { 'care.until': until }).setOptions({ sight });
  const timer = setInterval(() => void say(careUntil()).catch(() => undefined), SAY_EVERY_MS);
  try {
    const { result, isHeard, dueIn } = await work(taken.isUnfinished);
    const now = Date.now();
    const care = dueIn === null ? null : { by: null, until: new Date(now + dueIn) };
    const heard = isHeard ? { $max: { last_transmission: new Date(now) } } : {};
    await DeviceModel.updateOne(mine, { $set: { care }, ...heard }).setOptions({ sight });
    return result;
  } catch (error) {
    await say(new Date(0)).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Waits until work has ended, however it does, but no longer than some milliseconds. */
async function endOf(work: Promise<unknown>, most: number): Promise<void> {
  const ended = new AbortController();
  const longest = pause(most, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), longest]);
  ended.abort();
}

function careUntil(): Date {
  return new Date(Date.now() + CARE_MS);
}

async function take(
  key: string,
  by: string,
  { sight, onlyIfDue, giveUp }: Turn,
): Promise<{ readonly isUnfinished: boolean } | null> {
  for (;;) {
    const now = new Date();
    const isDue = { 'care.until': { $lte: now } };
    const isFree = onlyIfDue ? isDue : { $or: [{ care: null }, { 'care.by': null }, isDue] };
    const before = await DeviceModel.findOneAndUpdate(
      { key, ...isFree },
      { care: { by, until: careUntil() } },
      { sight, returnDocument: 'before', projection: 'care' },
    ).lean();
    if (before) return { isUnfinished: typeof before.care?.by === 'string' };
    if (onlyIfDue || (await DeviceModel.countDocuments({ key }, { sight })) === 0) return null;
    if (Date.now() > giveUp) throw new ServiceError('SERVICE_UNAVAILABLE', 'The device is busy; try again later');
    await pause(LOOK_EVERY_MS);
  }
}
