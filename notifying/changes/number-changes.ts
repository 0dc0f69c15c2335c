import { marksFrom, newMark, timeOfMark } from '../../models/store/change-mark.ts';
import { ChangeStore, type UnnumberedChange } from '../../models/changes/change.ts';
import { loggedStores, type MarkPlace, pathToLog } from '../../models/store/logged-model.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';
import { onceStored } from '../../models/store/transaction.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';

import { groupedBy } from '../../models/grouped-by.ts';
import {
  type ChangeSource,
  deletions,
  growth,
  type MarkedChange,
  readMarks,
  recordsOf,
} from '../../models/changes/change-sources.ts';
import { announceAdded } from './on-change.ts';
import { perService, type Service } from '../../models/store/service.ts';

/** Marks that are read of each source at a time. */
const AT_ONCE = 500;
/** Number of attempts to number the changes of an account while other servers take the numbers. */
const MAX_ATTEMPTS = 10;
/** Interval at which open trips of an account get entries, in milliseconds. */
export const GROWTH_EVERY_MS = 1000;
/** Difference beyond which a mark in the future comes from a wrong clock, and not from a change just made, in milliseconds. */
const MAX_AHEAD_MS = 60_000;

interface FoundChange extends MarkedChange {
  readonly source: ChangeSource;
}

/** When open trips of accounts got entries within the last second, in milliseconds since 1970. */
const growths = perService(() => new Map<string, number>());

/**
 * Gives an entry to each earlier change, on any server. Any number of servers may do so at the same
 * time: entries of an account have consecutive numbers, of which the database takes each once, so that the one that comes second
 * stores nothing and reads again. A change is marked until it has its entry, so that a kill loses none.
 *
 * Entries stand in the order in which changes were made, as far as the clocks of the servers agree: a change that is made
 * during the work is left to the next time, since one before it may not have been found. Trips, visits and events of one
 * vehicle that get their entries together, as those of an upload, stand in the order of their times.
 *
 * @param accounts keys of the accounts; by default, all
 * @param places where there may be marks; by default, anywhere
 */
export async function numberChanges(
  service: Service,
  accounts?: readonly string[],
  places?: ReadonlySet<MarkPlace>,
): Promise<void> {
  while (await numberSome(service, sourcesIn(places), accounts));
}

/**
 * Gives entries to open trips to which positions were added since their last entry, of accounts whose log is read: if nobody
 * reads it, positions cost no entries. Earlier changes get theirs too, since a trip is created before it is extended.
 */
export async function numberGrowth(service: Service, accounts: readonly string[]): Promise<void> {
  for (const account of accounts) growths(service).set(account, Date.now());
  const { marked } = await readMarks(service, [growth], { accounts, max: 1 });
  if (marked.length > 0) while (await numberSome(service, [...sourcesIn(), growth], accounts));
}

/** Does {@link numberGrowth} for the account of a reader, at most once a second. */
export async function numberGrowthIfDue(service: Service, account: string): Promise<void> {
  const grown = growths(service);
  const now = Date.now();
  for (const [account, at] of grown) if (Math.abs(now - at) >= GROWTH_EVERY_MS) grown.delete(account);
  if (!grown.has(account)) await numberGrowth(service, [account]);
}

function sourcesIn(places?: ReadonlySet<MarkPlace>): readonly ChangeSource[] {
  const stores = loggedStores.filter(({ kind }) => places?.has(kind) ?? true);
  return [...stores.map(recordsOf), ...((places?.has('deletions') ?? true) ? [deletions] : [])];
}

/** Gives entries to the first changes of each source; returns true if there may be more. */
async function numberSome(
  service: Service,
  sources: readonly ChangeSource[],
  accounts?: readonly string[],
): Promise<boolean> {
  const begun = newMark();
  const ahead = marksFrom(timeOfMark(begun).getTime() + MAX_AHEAD_MS);
  const { marked, last } = await readMarks(service, sources, { accounts, max: AT_ONCE });
  const lists = await Promise.all(
    marked.map(async ({ source, documents }) =>
      (await source.changesOf(service, documents)).map((change) => ({ ...change, source })),
    ),
  );
  const full = marked.filter(({ documents }) => documents.length === AT_ONCE);
  const limits = full.map(({ source, documents }) => documents.at(-1)?.[source.mark] ?? '');
  const [horizon] = [...limits.toSorted(), undefined];
  const isDue = ({ mark }: MarkedChange) => mark < begun || mark > ahead;
  const due = lists.flat().filter((marked) => isDue(marked) && (horizon === undefined || marked.mark <= horizon));
  await Promise.all(
    [...groupedBy(due, ({ account_key }) => account_key)].map(([accountKey, changes]) =>
      numberIn(accountAccessScope(service, accountKey), changes, last.get(accountKey)),
    ),
  );
  return limits.length > 0 && due.length > 0;
}

/** @param last number of the last entry, if it has been read */
async function numberIn(accessScope: AccessScope, found: readonly FoundChange[], last?: number): Promise<void> {
  const inOrder = byTimes(found.toSorted((one, other) => (one.mark < other.mark ? -1 : 1)));
  const marked = inOrder.flatMap(({ change }) => (change === null ? [] : [change]));
  const changes = await inGroupsOfVehicles(accessScope, marked);
  if (!(await insertEntries(accessScope, changes, last))) return;
  await Promise.all(
    [...new Set(found.map(({ source }) => source))].map((source) =>
      source.settle(
        accessScope,
        found.filter((one) => one.source === source),
      ),
    ),
  );
  if (changes.length > 0) onceStored(() => announceAdded(accessScope.service, accessScope.account_key));
}

/** Orders the changes of each vehicle that have times by time, within their places among all changes. */
function byTimes(changes: readonly FoundChange[]): readonly FoundChange[] {
  const vehicleOf = ({ time, change }: FoundChange) => (time && change?.vehicle_key) ?? '';
  const sorted = new Map(
    [...groupedBy(changes, vehicleOf)].map(([vehicle, ofVehicle]) => [
      vehicle,
      ofVehicle.toSorted((one, other) => Number(one.time) - Number(other.time)).values(),
    ]),
  );
  return changes.map((change) => {
    const vehicle = vehicleOf(change);
    return vehicle === '' ? change : (sorted.get(vehicle)?.next().value ?? change);
  });
}

/** Gives changes of trips and visits the groups of their vehicles; if there is no vehicle, only the whole account sees them. */
async function inGroupsOfVehicles(
  accessScope: AccessScope,
  changes: readonly UnnumberedChange[],
): Promise<readonly UnnumberedChange[]> {
  const isOfVehicle = ({ group_path, vehicle_key }: UnnumberedChange) => group_path === null && vehicle_key !== null;
  const keys = new Set(changes.filter(isOfVehicle).map(({ vehicle_key }) => vehicle_key));
  if (keys.size === 0) return changes;
  const vehicles = VehicleStore.findStored(accessScope, { key: { $in: [...keys] } }, { projection: PATHS });
  const paths = new Map((await vehicles.toArray()).map((vehicle) => [vehicle.key, pathToLog(vehicle)]));
  return changes.map((change) =>
    isOfVehicle(change) ? { ...change, group_path: paths.get(change.vehicle_key) ?? [] } : change,
  );
}

const PATHS = { key: 1, group_path: 1, logged_path: 1 } as const;

/** Stores entries for unlogged changes; returns false if other servers were faster at every attempt. */
async function insertEntries(
  accessScope: AccessScope,
  changes: readonly UnnumberedChange[],
  lastRead: number | undefined,
): Promise<boolean> {
  let missing = changes;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (missing.length === 0) return true;
    const last = (attempt === 0 ? lastRead : undefined) ?? (await lastNumber(accessScope));
    const entries = missing.map((change, at) => ({
      ...change,
      number: last + 1 + at,
      timestamp: timeOfMark(change.mark),
    }));
    try {
      await ChangeStore.insertMany(accessScope, entries, { ordered: true, lean: true });
      await removeFormerGrowth(accessScope, entries);
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      missing = await withoutEntry(accessScope, changes);
    }
  }
  return false;
}

/** The number of the last entry of an account, visible to the caller or not; 0 if there is none. */
export async function lastNumber({ service, account_key }: AccessScope): Promise<number> {
  const last = await ChangeStore.findOne(accountAccessScope(service, account_key), {}, { number: 1 }).sort({
    number: -1,
  });
  return last?.number ?? 0;
}

async function withoutEntry(accessScope: AccessScope, changes: readonly UnnumberedChange[]) {
  const nameOf = ({ kind, key, mark }: Pick<UnnumberedChange, 'kind' | 'key' | 'mark'>) => `${kind} ${key} ${mark}`;
  const filter = { key: { $in: changes.map(({ key }) => key) }, mark: { $in: changes.map(({ mark }) => mark) } };
  const entries = await ChangeStore.find(accessScope, filter, { kind: 1, key: 1, mark: 1 });
  const known = new Set(entries.map(nameOf));
  return changes.filter((change) => !known.has(nameOf(change)));
}

/** Removes the earlier entries of extended trips: each trip has one, which moves forward. */
async function removeFormerGrowth(
  accessScope: AccessScope,
  entries: readonly (UnnumberedChange & { readonly number: number })[],
): Promise<void> {
  const trips = entries.filter(({ is_growth }) => is_growth);
  const [first] = trips;
  if (!first) return;
  const former = { key: { $in: trips.map(({ key }) => key) }, is_growth: true, number: { $lt: first.number } };
  await ChangeStore.deleteMany(accessScope, former);
}
