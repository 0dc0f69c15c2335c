import { mongo } from 'mongoose';

import { timeOfMark } from '../store/change-mark.ts';
import type { UnnumberedChange } from './change.ts';
import { isLate } from './late.ts';
import {
  DeletionNoteStore,
  isInGroups,
  type LoggedStore,
  type LoggedPaths,
  type LoggedUsers,
  loggedStores,
  markedFilter,
  pathToLog,
  usersToLog,
} from '../store/logged-model.ts';
import { type AccessScope, tripsAccessScope, unrestricted } from '../store/tenancy.ts';
import { isInTransaction, session } from '../store/transaction.ts';
import { OPEN_END, TripStore } from '../trips/trip.ts';
import { DeviceStore } from '../vehicles/device.ts';
import { type Service, perService } from '../store/service.ts';
import type { PlainStore } from '../store/plain-store.ts';

/** A mark, with the change for which it stands. */
export interface MarkedChange {
  readonly account_key: string;
  readonly mark: string;
  /** Key of the document that has the mark. */
  readonly document_key: string;
  /** Fields by which its collection is sharded, if it is. */
  readonly shard?: Readonly<Record<string, unknown>>;
  /** Null if there is nothing to log. */
  readonly change: UnnumberedChange | null;
  /** Groups in which the document is, if it belongs to any: from this change on, the groups that are notified of the next. */
  readonly present_path?: readonly string[];
  /** When the subject of the record began; absent for a record without a time. */
  readonly time?: Date | undefined;
}

/** Condition on the documents of accounts; none for those of all. */
export type OfAccounts = { readonly account_key?: { readonly $in: readonly string[] } };

/** A source of changes, which are marked until they have an entry. */
export interface ChangeSource {
  readonly store: Pick<PlainStore<unknown>, 'driver'>;
  /** Filter of the documents with a mark. */
  readonly marked: Readonly<Record<string, unknown>>;
  /** Reads the first marks of accounts, in their order, no more than `max`. */
  find(service: Service, accounts: OfAccounts, max: number): Promise<readonly MarkedChange[]>;
  /** Removes marks of an account, unless others have replaced them. */
  settle(accessScope: AccessScope, marked: readonly MarkedChange[]): Promise<unknown>;
}

/** A document with a mark. */
interface MarkedDocument extends LoggedPaths, LoggedUsers {
  readonly account_key: string;
  readonly vehicle_key?: string | null;
  readonly serial_folded?: string;
  readonly status?: unknown;
  readonly change_mark: string;
  readonly is_first_change?: boolean;
  /** Of events. */
  readonly event?: string;
  readonly timestamp?: Date;
  /** Of visits. */
  readonly entry_timestamp?: Date;
  /** End of visits and of events of rules; {@link OPEN_END} while there is none. */
  readonly until?: Date;
  /** Of trips; the end is {@link OPEN_END} while there is none. */
  readonly start_point?: { readonly timestamp: Date };
  readonly end_point?: { readonly timestamp: Date };
}

const READ_OF_MARKED = {
  account_key: 1,
  key: 1,
  vehicle_key: 1,
  serial_folded: 1,
  status: 1,
  change_mark: 1,
  is_first_change: 1,
  group_path: 1,
  logged_path: 1,
  user_key: 1,
  driver_key: 1,
  former_users: 1,
  event: 1,
  timestamp: 1,
  entry_timestamp: 1,
  until: 1,
  start_point: 1,
  end_point: 1,
} as const satisfies Record<keyof MarkedDocument, 1>;

function beginOf({ timestamp, entry_timestamp, start_point }: MarkedDocument): Date | undefined {
  return timestamp ?? entry_timestamp ?? start_point?.timestamp;
}

/** Returns true if what a record is about was over, or had begun if it is new, long before it changed. */
function isAboutThePast(service: Service, document: MarkedDocument): boolean {
  const begin = beginOf(document);
  const end = document.until ?? document.end_point?.timestamp ?? begin;
  const isOver = end !== undefined && end < OPEN_END;
  // A silence begins long before it is found.
  const isBegun = document.is_first_change === true && document.event !== 'device_silent';
  const last = isOver ? end : isBegun ? begin : undefined;
  return last !== undefined && isLate(service, last, timeOfMark(document.change_mark));
}

/** The marks in records of a kind. */
export function recordsOf(logged: LoggedStore): ChangeSource {
  const { kind, store, isPresent = () => true } = logged;
  const hasPath = isInGroups(store.schema);
  const sharded = Object.keys(store.schema.options.shardKey ?? {}) as (keyof MarkedDocument)[];
  return {
    store,
    marked: markedFilter(logged),
    find: async (service, accounts, max) => {
      const options = { projection: READ_OF_MARKED, sort: { change_mark: 1 }, limit: max, ...session() } as const;
      const filter = { ...markedFilter(logged), ...accounts };
      const found = store.driver(service).find(filter, options) as unknown as mongo.FindCursor<MarkedDocument>;
      const documents = await found.toArray();
      return documents.map((document) => {
        const { account_key, key, vehicle_key = null, change_mark: mark } = document;
        const happened = !isPresent({ status: document.status })
          ? 'deleted'
          : document.is_first_change === true
            ? 'created'
            : 'updated';
        const group_path = hasPath ? pathToLog(document) : null;
        const user_keys = usersToLog(logged, document);
        const facts = { account_key, kind, key, happened, vehicle_key, mark, is_growth: false } as const;
        const change = { ...facts, group_path, user_keys, late: isAboutThePast(service, document) };
        const { group_path: present_path = [] } = document;
        return {
          account_key,
          mark,
          document_key: key,
          shard: Object.fromEntries(sharded.map((field) => [field, document[field]])),
          change,
          time: beginOf(document),
          ...(hasPath && { present_path }),
        };
      });
    },
    settle: (accessScope, marked) => {
      const updates = marked.map(({ document_key, shard, mark, change, present_path }) => ({
        filter: { key: document_key, ...shard, change_mark: mark },
        update: settled(change?.happened === 'deleted', present_path),
      }));
      return store.updateEach(tripsAccessScope(accessScope, null), updates);
    },
  };
}

/** The update that removes the mark of a document. */
function settled(isDeleted: boolean, logged_path: readonly string[] | undefined) {
  const path = logged_path && { logged_path };
  return isDeleted
    ? { $unset: { change_mark: '', former_users: '' }, $set: { is_first_change: true, ...path } }
    : { $unset: { change_mark: '', former_users: '', is_first_change: '' }, ...(path && { $set: path }) };
}

/** The records of deletions; those of existing records do not count yet. */
export const deletions: ChangeSource = {
  store: DeletionNoteStore,
  marked: {},
  find: async (service, accounts, max) => {
    const notes = await DeletionNoteStore.find(service, accounts as object)
      .sort({ mark: 1 })
      .limit(max);
    const isThere = await presentKeys(service, notes);
    return notes
      .filter(({ kind, key }) => !isThere.has(`${kind} ${key}`))
      .map(({ account_key, kind, key, vehicle_key, mark, logged_path: group_path, user_keys }) => {
        const facts = { account_key, kind, key, happened: 'deleted', vehicle_key, mark, is_growth: false } as const;
        return { account_key, mark, document_key: key, change: { ...facts, group_path, user_keys, late: false } };
      });
  },
  settle: ({ service }, marked) =>
    DeletionNoteStore.deleteMany(service, { $or: marked.map(({ document_key: key, mark }) => ({ key, mark })) }),
};

async function presentKeys(
  service: Service,
  notes: readonly { readonly kind: string; readonly key: string }[],
): Promise<Set<string>> {
  const lists = loggedStores.map(async ({ kind, store, shown }) => {
    const keys = notes.filter((note) => note.kind === kind).map(({ key }) => key);
    if (keys.length === 0) return [];
    const found = store
      .driver(service)
      .find({ key: { $in: keys }, ...shown }, { projection: { key: 1 }, ...session() });
    return (await found.toArray()).map(({ key }) => `${kind} ${key}`);
  });
  return new Set((await Promise.all(lists)).flat());
}

const GROWN = { growth_mark: { $type: 'string' } } as const;

/** The marks of devices whose open trips have grown. */
export const growth: ChangeSource = {
  store: DeviceStore,
  marked: GROWN,
  find: async (service, accounts, max) => {
    const all = unrestricted(service);
    const devices = await DeviceStore.find(
      all,
      { ...GROWN, ...(accounts as object) },
      { key: 1, account_key: 1, serial_folded: 1, growth_mark: 1, position: 1 },
    )
      .sort({ growth_mark: 1 })
      .limit(max);
    const open = { device_key: { $in: devices.map(({ key }) => key) }, 'recording.open': true, staged: false };
    const fields = { key: 1, device_key: 1, vehicle_key: 1, user_key: 1, start_point: 1 };
    const trips = devices.length === 0 ? [] : await TripStore.find(all, open, fields);
    return devices.map(({ key: document_key, account_key, serial_folded, growth_mark, position }) => {
      const mark = growth_mark ?? '';
      const trip = trips.find(({ device_key }) => device_key === document_key);
      const facts = {
        account_key,
        kind: 'trip',
        happened: 'updated',
        mark,
        group_path: null,
        is_growth: true,
      } as const;
      const user_keys = typeof trip?.user_key === 'string' ? [trip.user_key] : [];
      const late = position !== null && position !== undefined && isLate(service, position.at, timeOfMark(mark));
      const change = trip ? { ...facts, key: trip.key, vehicle_key: trip.vehicle_key, user_keys, late } : null;
      return { account_key, mark, document_key, shard: { serial_folded }, change, time: trip?.start_point.timestamp };
    });
  },
  settle: (accessScope, marked) => {
    const updates = marked.map(({ document_key, shard, mark }) => ({
      filter: { key: document_key, ...shard, growth_mark: mark },
      update: { $set: { growth_mark: null } },
    }));
    return DeviceStore.updateEach(accessScope, updates);
  },
};

const ofDatabase = perService((): { areThere: boolean | null } => ({ areThere: null }));

/**
 * The sources that have marks of accounts, by one command: most have none, and each would need a command. If the database has
 * no unions, all of them.
 */
export async function markedAmong(
  service: Service,
  sources: readonly ChangeSource[],
  accounts: OfAccounts = {},
  unions = ofDatabase(service),
): Promise<readonly ChangeSource[]> {
  const [first, ...others] = sources;
  // An unsupported command would end a transaction.
  if (!first || unions.areThere === false || (unions.areThere === null && isInTransaction())) return sources;
  const pipelineOf = ({ marked }: ChangeSource, at: number) => [
    { $match: { ...marked, ...accounts } },
    { $limit: 1 },
    { $project: { _id: 0, at: { $literal: at } } },
  ];
  const further = others.map((source, at) => ({
    $unionWith: { coll: source.store.driver(service).collectionName, pipeline: pipelineOf(source, at + 1) },
  }));
  try {
    const found = await first.store
      .driver(service)
      .aggregate<{ readonly at: number }>([...pipelineOf(first, 0), ...further], session())
      .toArray();
    unions.areThere = true;
    return found.flatMap(({ at }) => sources[at] ?? []);
  } catch (error) {
    if (unions.areThere || !(error instanceof mongo.MongoServerError)) throw error;
    unions.areThere = false;
    return sources;
  }
}
