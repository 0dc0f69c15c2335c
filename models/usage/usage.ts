import type { Service } from '../store/service.ts';
import { storeOf, type StoredIn } from '../store/store-of.ts';
import { nullable, required } from '../store/stored-fields.ts';

/** Days for which usage is kept after the last request. */
const KEPT_DAYS = 400;

/** Counted requests: one document for each caller, client and combination of used names. */
export const UsageStore = storeOf('Usage', {
  collection: 'usage',
  tenancy: null,
  hidden: {
    /** The account of the caller; null for visitors. */
    account_key: nullable(String),
    /** Kind of the caller, and what identifies it: `app wb_app_…`, `owner`, `visitor`. */
    caller: required(String),
    /** Name by which the client calls itself; empty if it has none. */
    client: required(String),
    /** SHA-256 of the names. */
    hash: required(String),
    /** Names of used parts: `Vehicle.odometer`, `Query.vehicles(first:)`, `GET /devices`, `document Fleet`. */
    names: required([String] as const),
    /** Time of the last request, at most a minute too late. */
    last: required(Date),
    count: required(Number),
  },
  indexes: [
    [{ hash: 1, account_key: 1, caller: 1, client: 1 }, { unique: true }],
    [{ names: 1, last: 1 }],
    [{ last: 1 }, { expireAfterSeconds: KEPT_DAYS * 86_400 }],
  ],
});

/** Requests of a caller and a client that used the same names. */
export type CountedUse = Omit<StoredIn<typeof UsageStore>, '_id'>;

/** Adds counted requests to those of the same caller, client and names. */
export async function addUsage(service: Service, counted: readonly CountedUse[]): Promise<void> {
  const updates = counted.map(({ count, last, names, ...those }) => ({
    updateOne: {
      filter: those,
      update: { $inc: { count }, $max: { last }, $setOnInsert: { names } },
      upsert: true,
    },
  }));
  await UsageStore.driver(service).bulkWrite(updates, { ordered: false });
}
