import { mapOf, type Doc, type Value } from '../bson/value.ts';
import type { Collection } from '../storage/catalog.ts';
import type { Row } from '../storage/sqlite.ts';
import type { Selection } from './select.ts';

/** Converts SQLite's plan (the rows of EXPLAIN QUERY PLAN) to the stages of MongoDB. */
export function queryPlan(rows: readonly Row[], collection: Collection, selection: Selection): Doc {
  const details = rows.map(({ detail }) => String(detail));
  const scans = details.flatMap((detail) => scanOf(detail, collection) ?? []);
  const filter = selection.filter.size > 0 ? { filter: selection.filter } : {};
  const collectionScan = stage('COLLSCAN', { ...filter, direction: 'forward' });
  const [first, ...others] = scans;
  const input = others.length > 0 ? stage('OR', { inputStages: scans }) : first;
  const fetched = input ? stage('FETCH', { ...filter, inputStage: input }) : collectionScan;
  const isSorted = details.some((detail) => detail.includes('FOR ORDER BY'));
  const { sort = new Map(), skip, limit } = selection;
  const wrap = (plan: Doc, name: string, field: string, value: Value | undefined) =>
    value ? stage(name, { [field]: value, inputStage: plan }) : plan;
  const sorted = wrap(fetched, 'SORT', 'sortPattern', isSorted ? sort : undefined);
  return wrap(wrap(sorted, 'SKIP', 'skipAmount', skip), 'LIMIT', 'limitAmount', limit);
}

/** The index a step of SQLite's plan uses: an ordinary one, or the side table of a path with arrays. */
function scanOf(detail: string, collection: Collection): Doc | undefined {
  const [, id] = /USING (?:COVERING )?INDEX i(\d+)/.exec(detail) ?? [];
  const [, path] = /SEARCH a(\d+) USING/.exec(detail) ?? [];
  const index = collection.indexes.find((candidate) =>
    id === undefined ? candidate.paths[0]?.id === Number(path) : candidate.id === Number(id),
  );
  if (!index) return undefined;
  return stage('IXSCAN', {
    keyPattern: index.spec.get('key') ?? null,
    indexName: index.name,
    isMultiKey: index.paths.some(({ multikey }) => multikey),
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.filter !== undefined,
    direction: 'forward',
  });
}

function stage(name: string, fields: Record<string, Value>): Doc {
  return mapOf({ stage: name, ...fields });
}
