import { unsupported } from '../mongo-error.ts';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { compilePipeline, stageOf } from '../aggregate/pipeline.ts';
import type { Source } from '../cursors.ts';
import type { Variables } from '../query/expression.ts';
import type { Selection } from '../query/select.ts';
import { findCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { cursorReply } from '../wire/cursor-reply.ts';
import { checkHint, readVariables, refuseCollation } from './command.ts';
import type { Handler } from './command.ts';
import { countDocuments, cursorBatchSize, documentsOf } from './find.ts';

/** Answers aggregate. */
export const aggregate: Handler = ({ args, db, store, cursors, owner }) => {
  refuseCollation(args);
  if (args.flag('explain')) throw unsupported('The explain option of aggregate');
  if (typeof args.value('aggregate') !== 'string') throw unsupported('An aggregation without a collection');
  const name = args.string('aggregate');
  const stages = args.array('pipeline');
  const variables = readVariables(args);
  const namespace = `${db}.${name}`;
  const reader = store.acquire();
  let source: Source;
  try {
    checkHint(findCollection(reader, db, name), args.value('hint'));
    source = { namespace, documents: run(reader, db, name, stages, variables), end: () => store.release(reader) };
  } catch (error) {
    store.release(reader);
    throw error;
  }
  const { batch, id } = cursors.first(source, owner, cursorBatchSize(args), false);
  return cursorReply('firstBatch', batch, id, namespace);
};

function run(reader: Connection, db: string, name: string, stages: Value[], variables: Variables): Iterator<Buffer> {
  const { selection, rest } = splitPipeline(stages, variables);
  const collection = findCollection(reader, db, name);
  const counted = rest.length === 1 && collection ? countedBy(rest[0] ?? null) : undefined;
  if (counted && collection) {
    const n = countDocuments(reader, collection, selection);
    return (n > 0 ? [encode(new Map([...counted.slice(0, -1), [counted.at(-1)?.[0] ?? 'n', n]]))] : []).values();
  }
  const stream = compilePipeline(rest, {
    variables,
    find: (other, filter) => decoded(documentsOf(reader, findCollection(reader, db, other), { filter, variables })),
  });
  const documents = documentsOf(reader, collection, selection);
  return rest.length === 0 ? documents : encoded(stream(decoded(documents)));
}

function* decoded(documents: Iterable<Buffer>): Generator<Doc, void, void> {
  for (const bytes of documents) yield decode(bytes);
}

function* encoded(docs: Iterable<Doc>): Generator<Buffer, void, void> {
  for (const doc of docs) yield encode(doc);
}

/** Takes from the front of a pipeline what SQLite can do: filters, then a sort, then skip and limit. */
export function splitPipeline(stages: Value[], variables: Variables): { selection: Selection; rest: Value[] } {
  const filters: Doc[] = [];
  let sort: Doc | undefined;
  let skip: number | undefined;
  let limit: number | undefined;
  let taken = 0;
  for (const stage of stages) {
    const [name, operand] = stageOf(stage);
    const number =
      isNumeric(operand) && Number.isInteger(toNumber(operand)) && toNumber(operand) > 0
        ? toNumber(operand)
        : undefined;
    const isOpen = skip === undefined && limit === undefined;
    if (name === '$match' && isDoc(operand) && isOpen && !sort) filters.push(operand);
    else if (name === '$sort' && isDoc(operand) && operand.size > 0 && isOpen && !sort) sort = operand;
    else if (name === '$skip' && number && isOpen) skip = number;
    else if (name === '$limit' && number && limit === undefined) limit = number;
    else break;
    taken += 1;
  }
  const [only] = filters;
  const filter: Doc = filters.length > 1 ? new Map([['$and', filters]]) : (only ?? new Map());
  return { selection: { filter, sort, skip, limit, variables }, rest: stages.slice(taken) };
}

/** The fields of a stage that only counts: `$count`, or `$group` with a constant `_id` and one `$sum: 1`. */
function countedBy(stage: Value): Array<[string, Value]> | undefined {
  const [name, operand] = stageOf(stage);
  if (name === '$count' && typeof operand === 'string' && operand !== '') return [[operand, 0]];
  if (name !== '$group' || !isDoc(operand) || operand.size !== 2) return undefined;
  const [id, field] = [...operand];
  if (id?.[0] !== '_id' || !(id[1] === null || typeof id[1] === 'number') || !isDoc(field?.[1])) return undefined;
  return field[1].size === 1 && field[1].get('$sum') === 1 ? [id, [field[0], 0]] : undefined;
}
