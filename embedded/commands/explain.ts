import { unsupported } from '../bson/mongo-error.ts';
import { isDoc, mapOf, type Doc, type Value } from '../bson/value.ts';
import { withSelect, type Selection, type SelectSql } from '../search/select.ts';
import type { Collection } from '../storage/catalog.ts';
import { findCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import type { Row } from '../storage/sqlite.ts';
import { splitPipeline } from './aggregate.ts';
import { Arguments } from './arguments.ts';
import { ok, readContext, readSelection, type ReadHandler } from './command.ts';
import { SERVER_VERSION } from './handshake.ts';
import { readFind } from './find.ts';

/** Answers explain: SQLite's plan in MongoDB's terms, and with executionStats the numbers of keys and documents it visits. */
export const explain: ReadHandler = ({ args, db, store }) => {
  const inner = args.optionalDoc('explain') ?? new Map();
  const [name = ''] = inner.keys();
  const selection = selectionOf(name, new Arguments(inner));
  const namespace = `${db}.${String(inner.get(name))}`;
  const withStats = args.value('verbosity') !== 'queryPlanner';
  return store.read((reader) => {
    const collection = findCollection(reader, db, String(inner.get(name)));
    const parsed = { namespace, parsedQuery: selection.filter };
    if (!collection) {
      const winningPlan = mapOf({ stage: 'EOF' });
      const none = withStats ? statistics(0, { keys: 0, documents: 0 }, 0, winningPlan) : undefined;
      return answer({ ...parsed, winningPlan }, none);
    }
    const run = ({ from, values }: SelectSql) => {
      const plan = queryPlan(reader.all(`EXPLAIN QUERY PLAN SELECT c.doc ${from}`, ...values), collection, selection);
      const planner = { ...parsed, winningPlan: plan, rejectedPlans: [] };
      if (!withStats) return answer(planner);
      Object.assign(reader.examined, { keys: 0, documents: 0 });
      const started = Date.now();
      const returned = reader.all(`SELECT c.id ${from}`, ...values).length;
      return answer(planner, statistics(returned, reader.examined, Date.now() - started, plan));
    };
    return withSelect(reader, collection, selection, run, true);
  });
};

function selectionOf(name: string, args: Arguments): Selection {
  if (name === 'find') return readFind(args);
  if (name === 'aggregate') return splitPipeline(args.array('pipeline'), readContext(args)).selection;
  if (name === 'count' || name === 'distinct') return readSelection(args, 'query');
  if (name === 'findAndModify') return { ...readSelection(args, 'query'), limit: 1 };
  const [statement] = name === 'update' ? args.docs('updates') : name === 'delete' ? args.docs('deletes') : [];
  const filter = statement?.get('q');
  if (!isDoc(filter)) throw unsupported(`Explaining the command ${name}`);
  return { filter, context: readContext(args) };
}

function answer(planner: Record<string, Value>, stats?: Doc): Doc {
  return ok({
    explainVersion: '1',
    queryPlanner: mapOf(planner),
    ...(stats ? { executionStats: stats } : {}),
    serverInfo: mapOf({ host: 'embedded', version: SERVER_VERSION }),
  });
}

/** The statistics of a run. Without an index every document is visited, and no key. */
function statistics(returned: number, examined: Connection['examined'], millis: number, plan: Doc): Doc {
  const hasIndex = [...stagesOf(plan)].includes('IXSCAN');
  return mapOf({
    executionSuccess: true,
    nReturned: returned,
    executionTimeMillis: millis,
    totalKeysExamined: hasIndex ? examined.keys : 0,
    totalDocsExamined: hasIndex ? examined.documents : examined.keys,
    executionStages: plan,
  });
}

function* stagesOf(plan: Doc): Generator<string> {
  yield String(plan.get('stage'));
  const inputs = [plan.get('inputStage'), plan.get('inputStages')].flat();
  for (const input of inputs) if (isDoc(input)) yield* stagesOf(input);
}

/** Converts SQLite's plan (the rows of EXPLAIN QUERY PLAN) to the stages of MongoDB. */
function queryPlan(rows: readonly Row[], collection: Collection, selection: Selection): Doc {
  const details = rows.map(({ detail }) => String(detail));
  const scans = details.flatMap((detail) => scanOf(detail, collection) ?? []);
  const filter = selection.filter.size > 0 ? { filter: selection.filter } : {};
  const collectionScan = stage('COLLSCAN', { ...filter, direction: 'forward' });
  const [first, ...others] = scans;
  const input = others.length > 0 ? stage('OR', { inputStages: scans }) : first;
  const fetched = input ? stage('FETCH', { ...filter, inputStage: input }) : collectionScan;
  const isSorted = details.some((detail) => detail.includes('FOR ORDER BY'));
  const { sort = new Map<string, Value>(), skip, limit } = selection;
  const wrap = (plan: Doc, name: string, field: string, value: Value | undefined) =>
    value ? stage(name, { [field]: value, inputStage: plan }) : plan;
  const sorted = wrap(fetched, 'SORT', 'sortPattern', isSorted ? sort : undefined);
  return wrap(wrap(sorted, 'SKIP', 'skipAmount', skip), 'LIMIT', 'limitAmount', limit);
}

/** The index a step of SQLite's plan uses: an ordinary one, its entries, or the side table of a path with arrays. */
function scanOf(detail: string, collection: Collection): Doc | undefined {
  const [, id] = /USING (?:COVERING )?INDEX i(\d+)/.exec(detail) ?? [];
  const [, entries] = /SEARCH e(\d+) USING/.exec(detail) ?? [];
  // By element and row together, elements are only tested.
  const [, path] = /SEARCH a(\d+) USING (?!.*id=)/.exec(detail) ?? [];
  const wanted = Number(id ?? entries);
  const index = collection.indexes.find((candidate) =>
    path === undefined ? candidate.id === wanted : candidate.paths[0]?.id === Number(path),
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
