import type { Doc, Value } from './bson/value.ts';
import { PLAIN } from './query/filter-context.ts';
import { selectIds } from './search/select.ts';
import type { Index } from './storage/catalog.ts';
import type { Connection } from './storage/connection.ts';
import { deleteRow } from './storage/rows.ts';

/** Removes documents that a TTL index has expired, as many as `limit` from each collection by each; returns their number. */
export function expireDocuments(writer: Connection, now: Date, limit?: number): number {
  let expired = 0;
  for (const collection of writer.catalog().collections.values()) {
    // An older version of this program makes such an index for a capped collection, too.
    if (collection.capped) continue;
    for (const index of collection.indexes) {
      const filter = expiredBy(index, now);
      if (!filter) continue;
      for (const id of selectIds(writer, collection, { filter, limit, context: PLAIN })) {
        deleteRow(writer, collection, id);
        expired += 1;
      }
    }
  }
  return expired;
}

function expiredBy(index: Index, now: Date): Doc | undefined {
  const [path] = index.pattern;
  if (index.expireAfterSeconds === undefined || !path) return undefined;
  const latest = new Date(now.getTime() - index.expireAfterSeconds * 1000);
  const isOver: Doc = new Map([[path.path, new Map([['$lte', latest]])]]);
  return index.filter ? new Map<string, Value>([['$and', [index.filter, isOver]]]) : isOver;
}
