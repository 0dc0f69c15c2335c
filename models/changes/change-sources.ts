import { mongo } from 'mongoose';

import { timeOfMark } from '../store/change-mark.ts';
import { ChangeStore, type UnnumberedChange } from './change.ts';
import { groupedBy } from '../grouped-by.ts';
import { isLate } from './late.ts';
import {
  type DeletionNote,
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
import { DeviceStore, type StoredDevice } from '../vehicles/device.ts';
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

/** A source of changes, which are marked until they have an entry. */
export interface ChangeSource<Marked = never> {
  readonly store: Pick<PlainStore<unknown>, 'driver'>;
  /** Filter of the documents with a mark. */
  readonly marked: Readonly<Record<string, unknown>>;
  /** The field with the mark. */
  readonly mark: 'change_mark' | 'growth_mark' | 'mark';
  /** Fields that are read. */
  readonly fields: Readonly<Record<string, 1>>;
  /** The changes for which documents with a mark stand. */
  changesOf(service: Service, documents: readonly Marked[]): Promise<readonly MarkedChange[]>;
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
export function recordsOf(logged: LoggedStore): ChangeSource<MarkedDocument> {
  const { kind, store, isPresent = () => true } = logged;
  const hasPath = isInGroups(store.schema);
  const sharded = Object.keys(store.schema.options.shardKey ?? {}) as (keyof MarkedDocument)[];
  return {
    store,
    marked: markedFilter(logged),
    mark: 'change_mark',
    fields: READ_OF_MARKED,
    changesOf: async (service, documents) =>
      documents.map((document) => {
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
      }),
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
export const deletions: ChangeSource<DeletionNote> = {
  store: DeletionNoteStore,
  marked: {},
  mark: 'mark',
  fields: { account_key: 1, kind: 1, key: 1, vehicle_key: 1, mark: 1, logged_path: 1, user_keys: 1 },
  changesOf: async (service, notes) => {
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

type GrownDevice = Pick<StoredDevice, 'key' | 'account_key' | 'serial_folded' | 'growth_mark' | 'position'>;

const GROWN = { growth_mark: { $type: 'string' } } as const;

/** The marks of devices whose open trips have grown. */
export const growth: ChangeSource<GrownDevice> = {
  store: DeviceStore,
  marked: GROWN,
  mark: 'growth_mark',
  fields: { key: 1, account_key: 1, serial_folded: 1, growth_mark: 1, position: 1 },
  changesOf: async (service, devices) => {
    const all = unrestricted(service);
    const open = { device_key: { $in: devices.map(({ key }) => key) }, 'recording.open': true, staged: false };
    const fields = { key: 1, device_key: 1, vehicle_key: 1, user_key: 1, start_point: 1 };
    const trips = await TripStore.find(all, open, fields);
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

/** Marks that have been read. */
export interface ReadMarks {
  readonly marked: readonly MarksOfSource[];
  /** Numbers of the last entries of accounts, if they were read too. */
  readonly last: ReadonlyMap<string, number>;
}

interface MarksOfSource {
  readonly source: ChangeSource;
  readonly documents: readonly never[];
}

/** Number of accounts up to which their last entries are read with their marks. */
const FEW_ACCOUNTS = 10;

const ofDatabase = perService((): { areThere: boolean | null } => ({ areThere: null }));

/**
 * Reads the first marks of each source, by one command: most sources have none. If few accounts are named, it reads the numbers of
 * their last entries, too. If the database has no unions, each source is read by a command of its own.
 *
 * @param accounts keys of the accounts; by default, all
 * @param max number of marks that are read of each source
 */
export async function readMarks(
  service: Service,
  sources: readonly ChangeSource[],
  { accounts, max }: { readonly accounts?: readonly string[] | undefined; readonly max: number },
  unions = ofDatabase(service),
): Promise<ReadMarks> {
  const ofAccounts = accounts && { account_key: { $in: accounts } };
  const queries = sources.map(({ store, marked, mark, fields }) => {
    return {
      driver: store.driver(service),
      filter: { ...marked, ...ofAccounts },
      sort: { [mark]: 1 } as const,
      fields,
    };
  });
  // An unsupported command would end a transaction.
  if (unions.areThere === false || (unions.areThere === null && isInTransaction())) {
    const found = queries.map(async ({ driver, filter, sort, fields: projection }, source) => {
      const documents = await driver.find(filter, { projection, sort, limit: max, ...session() }).toArray();
      return documents.map((document) => ({ ...document, source }));
    });
    return bySource(sources, (await Promise.all(found)).flat());
  }
  const ofMarks = queries.map(({ driver, filter, sort, fields }, source) => {
    const found = [{ $match: filter }, { $sort: sort }, { $limit: max }];
    return { driver, pipeline: [...found, { $project: { _id: 0, ...fields, source: { $literal: source } } }] };
  });
  const ofEntries = (accounts && accounts.length <= FEW_ACCOUNTS ? accounts : []).map((account_key) => {
    const found = [{ $match: { account_key } }, { $sort: { number: -1 } }, { $limit: 1 }];
    return {
      driver: ChangeStore.driver(service),
      pipeline: [...found, { $project: { _id: 0, account_key: 1, number: 1 } }],
    };
  });
  const [first, ...others] = [...ofMarks, ...ofEntries];
  if (!first) return bySource(sources, []);
  const further = others.map(({ driver, pipeline }) => ({ $unionWith: { coll: driver.collectionName, pipeline } }));
  try {
    const found = await first.driver.aggregate([...first.pipeline, ...further], session()).toArray();
    if (further.length > 0) unions.areThere = true;
    return bySource(sources, found);
  } catch (error) {
    if (unions.areThere || !(error instanceof mongo.MongoServerError)) throw error;
    unions.areThere = false;
    return readMarks(service, sources, { accounts, max }, unions);
  }
}

function bySource(sources: readonly ChangeSource[], found: readonly mongo.Document[]): ReadMarks {
  const documents = groupedBy(found, ({ source }) => source as number | undefined);
  return {
    marked: sources.flatMap((source, at) => {
      const ofSource = documents.get(at);
      return ofSource ? [{ source, documents: ofSource as never[] }] : [];
    }),
    last: new Map(documents.get(undefined)?.map(({ account_key, number }) => [account_key, number])),
  };
}
