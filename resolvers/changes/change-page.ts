import { createHash } from 'node:crypto';

import type { GraphQLSchema } from 'graphql';

import { type Caller, accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { ChangeStore, type LoggedChange } from '../../models/changes/change.ts';
import { readPermissionStamp } from '../../models/store/permission-stamp.ts';
import { stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { CHANGE_KINDS, type Change, type ChangeKind, MAX_WAIT_SECONDS } from '../../schema/changes/change.ts';
import type { Page } from '../../schema/page.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { deletedVehicleKeys } from '../../tracking/retention/delete-record.ts';
import { checkPageSize } from '../../models/lists/creation-page.ts';
import { hiddenZones } from '../../tracking/visibility/hidden-zones.ts';
import {
  type ChangeCursors,
  changeCursors,
  type ChangePlace,
  VIEW_BYTES,
} from '../../notifying/changes/change-cursor.ts';
import { isOfVehicles, type RecordReading, type VisibleKinds, visibleKinds, withRecords } from './changed-records.ts';
import { lastNumber, numberGrowthIfDue } from '../../notifying/changes/number-changes.ts';
import { numberWritten } from '../../notifying/changes/number-written.ts';
import { nextEntries } from '../../notifying/changes/on-change.ts';
import { loggedSince } from '../../notifying/changes/retention.ts';
import type { Service } from '../../models/store/service.ts';

/** Maximum number of entries that one query looks through, however few of them the caller sees. */
const MAX_LOOKED_AT = 5000;

/** Entries to list. */
export interface ChangePageQuery {
  /** The cursor of the page before; without one the page is empty, and the log is read from now on. */
  readonly after: string | null | undefined;
  readonly first: number;
  /** Seconds to wait if there is no entry yet. */
  readonly wait: number;
}

/** A page of the log, with the part of the account that it covers. */
export interface ChangePage extends Page<Change> {
  /** Kinds of records of which the caller learns. */
  readonly kinds: readonly ChangeKind[];
  /** False if the caller is restricted to groups. */
  readonly whole_account: boolean;
}

/** The part of a log that a reader sees, named so that its cursors tell when that has become another. */
interface ChangeView {
  readonly accessScope: AccessScope;
  /** The user for whom the reader acts, if any. */
  readonly userKey: string | null;
  readonly kinds: VisibleKinds;
  readonly name: string;
  readonly cursors: ChangeCursors;
}

/**
 * A page of the log of the caller's account as the caller sees it, from a cursor on.
 * @throws ServiceError BAD_REQUEST for an invalid argument; CURSOR_EXPIRED if entries after the cursor are gone, or if
 * the caller has come to see another part of the account than it did when it got the cursor
 */
export async function changePage(
  schema: GraphQLSchema,
  reading: RecordReading,
  query: ChangePageQuery,
): Promise<ChangePage> {
  const { service, caller } = reading.context;
  const size = checkPageSize(query.first);
  if (query.wait < 0 || query.wait > MAX_WAIT_SECONDS) {
    throw new ServiceError('BAD_REQUEST', `wait must be 0 to ${MAX_WAIT_SECONDS}`);
  }
  const until = Math.min(Date.now() + query.wait * 1000, expiryOf(caller));
  let permissions = query.wait > 0 ? await readPermissionStamp(service) : null;
  const view = await viewOf(service, caller, schema);
  for (let start = startOf(view, query.after); ; ) {
    const news = query.wait > 0 ? nextEntries(service, view.accessScope.account_key, until) : null;
    try {
      const read = await readEntries(view, start, size);
      const isOver = read.entries.length > 0 || start === null || (!read.isMore && !(await news?.arrived()));
      const now = query.wait > 0 ? await readPermissionStamp(service) : null;
      // While it waited, it may have lost the right to see anything: its next request is rejected then.
      if (now !== permissions && !(await isSeenAs(view, reading.context, schema)))
        return pageTo(view, [], { entries: [], end: start ?? read.end, isMore: false });
      permissions = now;
      if (isOver) return pageTo(view, await withRecords(read.entries, reading, view.kinds.all), read);
      start = read.end;
    } finally {
      news?.end();
    }
  }
}

/** Returns true if the caller, identified again, still sees the same part of the log. */
async function isSeenAs(
  view: ChangeView,
  { service, identifyAgain }: RequestContext,
  schema: GraphQLSchema,
): Promise<boolean> {
  if (!identifyAgain) return false;
  try {
    return (await viewOf(service, await identifyAgain(), schema)).name === view.name;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** When the credentials of a caller expire, in milliseconds since 1970. */
function expiryOf(caller: Caller): number {
  return 'expires' in caller ? (caller.expires ?? Infinity) : Infinity;
}

async function viewOf(service: Service, caller: Caller, schema: GraphQLSchema): Promise<ChangeView> {
  const accessScope = accessScopeOf({ service, caller });
  const zones = await hiddenZones(service, caller);
  const kinds = visibleKinds(caller, schema, zones.length > 0);
  const groups = accessScope.group_keys?.toSorted() ?? null;
  const { driver_key = null } = accessScope;
  const vehicles = await vehiclesUntold(accessScope, kinds);
  const state = JSON.stringify([kinds, groups, driver_key, stateOfZones(zones), vehicles]);
  const name = createHash('sha256').update(state).digest().toString('base64url', 0, VIEW_BYTES);
  const userKey = 'user_key' in caller ? caller.user_key : null;
  return {
    accessScope,
    userKey,
    kinds,
    name,
    cursors: await changeCursors(service, accessScope.account_key),
  };
}

/**
 * The vehicles visible to a reader who sees what comes and goes with them and is not told of them, as a driver: the keys of
 * those in its groups, or else of those that are deleted. Once they are others, the reader starts again.
 */
async function vehiclesUntold(accessScope: AccessScope, { all }: VisibleKinds): Promise<readonly string[]> {
  if (all.includes('vehicle') || !all.some(isOfVehicles)) return [];
  const keys =
    accessScope.group_keys === null
      ? await deletedVehicleKeys(accessScope)
      : (await VehicleStore.find(accessScope, {}, 'key')).map(({ key }) => key);
  return keys.toSorted();
}

/** The place at which a page starts; null for now. */
function startOf({ name, cursors }: ChangeView, after: string | null | undefined): ChangePlace | null {
  if (after == null) return null;
  const start = cursors.read(after);
  if (start.view === name) return start;
  throw new ServiceError(
    'CURSOR_EXPIRED',
    'after dates from when you could see a different part of the account; start again without it',
  );
}

/** Entries that a reader sees. */
interface ReadEntries {
  readonly entries: readonly LoggedChange[];
  readonly end: ChangePlace;
  /** True if others may follow. */
  readonly isMore: boolean;
}

async function readEntries(view: ChangeView, start: ChangePlace | null, size: number): Promise<ReadEntries> {
  const { accessScope, userKey, kinds, name } = view;
  const { service, account_key } = accessScope;
  await numberWritten(service, account_key);
  await numberGrowthIfDue(service, account_key);
  const at = new Date();
  // Read first: entries that come meanwhile are on the next page.
  const last = await lastNumber(accessScope);
  if (start === null) return { entries: [], end: { number: last, at, view: name }, isMore: false };
  if (start.number > last || (start.number < last && start.at < loggedSince(service, at.getTime()))) {
    throw new ServiceError('CURSOR_EXPIRED', 'after is older than the log of changes; start again without it');
  }
  const until = Math.min(last, start.number + MAX_LOOKED_AT);
  const own = kinds.own.map((kind) => ({ kind, key: userKey ?? '' }));
  const filter = {
    number: { $gt: start.number, $lte: until },
    ...(own.length === 0 ? { kind: { $in: [...kinds.all] } } : { $or: [{ kind: { $in: [...kinds.all] } }, ...own] }),
  };
  const query = { accessScope, filter, hidden: ['number', 'vehicle_key'] as const };
  const found = await ChangeStore.readShown(query, { sort: { number: 1 }, limit: size + 1 });
  const entries = found.slice(0, size);
  const isCut = found.length > size;
  const end = (isCut ? entries.at(-1)?.number : undefined) ?? until;
  return { entries, end: { number: end, at, view: name }, isMore: isCut || until < last };
}

function pageTo(
  { cursors, kinds, accessScope }: ChangeView,
  nodes: readonly Change[],
  { entries, end, isMore }: ReadEntries,
): ChangePage {
  // After the last entry, the log continues at the end of this page.
  const edges = () =>
    entries.map(({ number }, at) => cursors.write(at === entries.length - 1 ? end : { ...end, number }));
  const [first] = entries;
  const end_cursor = cursors.write(end);
  const page_info = {
    end_cursor,
    has_next_page: isMore,
    start_cursor: first ? cursors.write(entries.length === 1 ? end : { ...end, number: first.number }) : null,
    has_previous_page: true,
    next_cursor: end_cursor,
  };
  const seen = CHANGE_KINDS.filter((kind) => kinds.all.includes(kind) || kinds.own.includes(kind));
  const covers = { kinds: seen, whole_account: accessScope.group_keys === null };
  return { nodes, page_info, cursors: edges, ...covers };
}
