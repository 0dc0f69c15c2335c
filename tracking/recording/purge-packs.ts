import { unrestricted } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';
import type { Service } from '../../models/store/service.ts';
import type { DocumentId } from '../../models/store/plain-store.ts';

const AT_ONCE = 1000;
/** Time for which a pack is kept after it was found to be replaced, in milliseconds: longer than any reader needs it. */
export const GRACE_MS = 3_600_000;
/** Maximum number of buckets that wait for removal; no more are searched until some are removed. */
const MAX_WAITING = 10_000;
/** Time after which trips that a device's worker staged and did not show are removed, in milliseconds. */
const STAGED_FOR_MS = 86_400_000;

type Bucket = { readonly _id: DocumentId; readonly trip_key: string; readonly pack: number | null };

/**
 * Makes a function that purges some buckets at each call, and begins again after the last. It removes those whose trip
 * is gone or has a later pack, an hour after it has found them: removed trips never come back, and packs only count up,
 * so that these are not needed again.
 */
export function packPurge(service: Service): () => Promise<void> {
  let after: DocumentId | null = null;
  const waiting: { readonly ids: readonly DocumentId[]; readonly since: number }[] = [];
  return async () => {
    const oldest = waiting.findIndex(({ since }) => since > Date.now() - GRACE_MS);
    for (const { ids } of waiting.splice(0, oldest === -1 ? waiting.length : oldest)) await remove(service, ids);
    await removeStaged(service);
    if (waiting.reduce((sum, { ids }) => sum + ids.length, 0) > MAX_WAITING) return;
    const rest = after === null ? {} : { _id: { $gt: after } };
    const buckets: Bucket[] = await TripPointsBucketStore.find(unrestricted(service), rest, 'trip_key pack')
      .sort({ _id: 1 })
      .limit(AT_ONCE);
    after = buckets.length < AT_ONCE ? null : (buckets.at(-1)?._id ?? null);
    const known = new Set(waiting.flatMap(({ ids }) => ids.map(String)));
    const ids = (await replaced(service, buckets)).filter((id) => !known.has(String(id)));
    if (ids.length > 0) waiting.push({ ids, since: Date.now() });
  };
}

async function replaced(service: Service, buckets: readonly Bucket[]): Promise<DocumentId[]> {
  const keys = [...new Set(buckets.map(({ trip_key }) => trip_key))];
  const trips = await TripStore.find(unrestricted(service), { key: { $in: keys } }, 'key pack');
  const packs = new Map(trips.map(({ key, pack }) => [key, pack ?? 0]));
  return buckets.filter(({ trip_key, pack }) => (pack ?? 0) < (packs.get(trip_key) ?? Infinity)).map(({ _id }) => _id);
}

async function remove(service: Service, ids: readonly DocumentId[]): Promise<void> {
  await TripPointsBucketStore.deleteMany(unrestricted(service), { _id: { $in: [...ids] } });
}

/** Removes trips that no worker of a device will show any more; their positions are in minutes. */
async function removeStaged(service: Service): Promise<void> {
  // Uses the index of staged trips, which are few.
  const staged = { staged: true, staged_by: { $gt: '' }, recording: { $ne: null } };
  const stale = { ...staged, staged_at: { $lt: new Date(Date.now() - STAGED_FOR_MS) } };
  await TripStore.deleteMany(unrestricted(service), stale);
}
