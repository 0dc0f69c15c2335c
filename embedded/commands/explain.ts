import { unsupported } from '../bson/mongo-error.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, Value } from '../bson/value.ts';
import { queryPlan } from '../search/query-plan.ts';
import { selectSql } from '../search/select.ts';
import type { Selection } from '../search/select.ts';
import { findCollection } from '../storage/collections.ts';
import { splitPipeline } from './aggregate.ts';
import { Arguments } from './arguments.ts';
import { doc, ok, readContext } from './command.ts';
import type { Handler } from './command.ts';
import { SERVER_VERSION } from './handshake.ts';
import { readSelection } from './find.ts';

/** Answers explain: how SQLite will find the documents, in the words of MongoDB, and with executionStats how many it looked at. */
export const explain: Handler = ({ args, db, store }) => {
  const inner = args.optionalDoc('explain') ?? new Map();
  const [name = ''] = inner.keys();
  const selection = selectionOf(name, new Arguments(inner));
  const namespace = `${db}.${String(inner.get(name))}`;
  const withStats = args.value('verbosity') !== 'queryPlanner';
  return store.read((reader) => {
    const collection = findCollection(reader, db, String(inner.get(name)));
    const parsed: Array<[string, Value]> = [
      ['namespace', namespace],
      ['parsedQuery', selection.filter],
    ];
    if (!collection)
      return answer(
        [...parsed, ['winningPlan', doc({ stage: 'EOF' })]],
        withStats ? statistics(0, { keys: 0, documents: 0 }, 0, doc({ stage: 'EOF' })) : undefined,
      );
    const { from, values, functions } = selectSql(reader, collection, selection, true);
    try {
      const plan = queryPlan(reader.all(`EXPLAIN QUERY PLAN SELECT c.doc ${from}`, ...values), collection, selection);
      const planner: Array<[string, Value]> = [...parsed, ['winningPlan', plan], ['rejectedPlans', []]];
      if (!withStats) return answer(planner);
      Object.assign(reader.examined, { keys: 0, documents: 0 });
      const started = Date.now();
      const returned = reader.all(`SELECT c.id ${from}`, ...values).length;
      return answer(planner, statistics(returned, reader.examined, Date.now() - started, plan));
    } finally {
      reader.unregister(functions);
    }
  });
};

function selectionOf(name: string, args: Arguments): Selection {
  if (name === 'find') return readSelection(args);
  const context = readContext(args);
  if (name === 'aggregate') return splitPipeline(args.array('pipeline'), context).selection;
  if (name === 'count' || name === 'distinct')
    return { filter: args.docOrEmpty('query'), skip: args.count('skip'), limit: args.count('limit'), context };
  if (name === 'findAndModify')
    return { filter: args.docOrEmpty('query'), sort: args.optionalDoc('sort'), limit: 1, context };
  const [statement] = name === 'update' ? args.docs('updates') : name === 'delete' ? args.docs('deletes') : [];
  const filter = statement?.get('q');
  if (!isDoc(filter)) throw unsupported(`Explaining the command ${name}`);
  return { filter, context };
}

function answer(planner: Array<[string, Value]>, stats?: Doc): Doc {
  return ok({
    explainVersion: '1',
    queryPlanner: new Map(planner),
    ...(stats ? { executionStats: stats } : {}),
    serverInfo: doc({ host: 'embedded', version: SERVER_VERSION }),
  });
}

/** Without an index every document is looked at, and no key. */
function statistics(
  returned: number,
  examined: { readonly keys: number; readonly documents: number },
  millis: number,
  plan: Doc,
): Doc {
  const hasIndex = [...stagesOf(plan)].includes('IXSCAN');
  return doc({
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
