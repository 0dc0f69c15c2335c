import { check, unsupported } from '../bson/mongo-error.ts';
import { decode, encode } from '../bson/codec.ts';
import { equalValues } from '../bson/key.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { isDoc, mapOf, type Doc, type Value } from '../bson/value.ts';
import { compilePipeline, stageOf } from '../aggregate/pipeline.ts';
import type { StageContext } from '../aggregate/stage.ts';
import { compileTarget, isTarget } from './target.ts';
import type { FilterContext } from '../query/filter-context.ts';
import { compileFilter, type Matcher } from '../query/match.ts';
import { isFieldName, isIndex } from '../query/path.ts';
import { type Conditions, type CountedValue, keptCounts } from '../search/kept-counts.ts';
import { countByValue, countDocuments, documentsOf, type Selection } from '../search/select.ts';
import { pathNamed, type Collection } from '../storage/catalog.ts';
import { findCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { cursorReply } from '../wire/cursor-reply.ts';
import {
  hintedCollection,
  readContext,
  type Handler,
  type ReadCommand,
  type ReadHandler,
  type Reply,
} from './command.ts';
import { cursorBatchSize, openCursor } from './find.ts';

/** Answers aggregate. */
export const aggregate: Handler = async (command) => {
  const { db, store } = command;
  const pipeline = readPipeline(command);
  const last = pipeline.stages.at(-1);
  if (last === undefined || !isTarget(last)) return answerPipeline(command, pipeline);
  const write = compileTarget(last, db);
  const source = { ...pipeline, stages: pipeline.stages.slice(0, -1) };
  await store.write((writer) => write(writer, decoded(writer, run(writer, db, source))));
  return cursorReply('firstBatch', [], 0n, pipeline.namespace);
};

/** Answers an aggregate that writes nothing. */
export const aggregateRead: ReadHandler = (command) => answerPipeline(command, readPipeline(command));

interface Pipeline {
  /** The collection; undefined for a pipeline on none. */
  readonly name: string | undefined;
  readonly namespace: string;
  readonly stages: readonly Value[];
  readonly context: FilterContext;
}

function readPipeline({ args, db }: ReadCommand): Pipeline {
  if (args.flag('explain')) throw unsupported('The explain option of aggregate');
  const name = typeof args.value('aggregate') === 'string' ? args.string('aggregate') : undefined;
  const stages = args.array('pipeline');
  return { name, namespace: `${db}.${name ?? '$cmd.aggregate'}`, stages, context: readContext(args) };
}

function answerPipeline(command: ReadCommand, pipeline: Pipeline): Reply {
  return openCursor(command, pipeline.namespace, cursorBatchSize(command.args), (reader) => {
    if (pipeline.name !== undefined) hintedCollection(command, reader);
    return run(reader, command.db, pipeline);
  });
}

function run(reader: Connection, db: string, { name, stages, context }: Pipeline) {
  const stageContext = stageContextOf(reader, db, context);
  if (name === undefined)
    return encoded(compilePipeline(stages.slice(1), stageContext)(literalDocuments(stages[0] ?? null)));
  const { selection: found, rest } = splitPipeline(stages, context);
  const selection = { ...found, matcher: compileFilter(found.filter, context) };
  const collection = findCollection(reader, db, name);
  const counts = collection && countsOf(reader, collection, selection, rest);
  if (counts) return encoded(counts);
  if (context.collator && rest.length > 0) throw unsupported('A collation with stages other than $match');
  const stream = compilePipeline(rest, stageContext);
  const documents = documentsOf(reader, collection, selection);
  return rest.length === 0 ? documents : encoded(stream(decoded(reader, documents)));
}

function stageContextOf(reader: Connection, db: string, { variables, collator }: FilterContext): StageContext {
  const search: StageContext['search'] = (name, stages, ownVariables) => {
    const context = { variables: ownVariables, collator };
    const { selection, rest } = splitPipeline(stages, context);
    const matches = compileFilter(selection.filter, context);
    const stream = compilePipeline(rest, stageContextOf(reader, db, context));
    const collection = findCollection(reader, db, name);
    return (filter) => {
      const isFound = compileFilter(filter, context);
      const both: Doc = new Map([['$and', [filter, selection.filter]]]);
      const matcher: Matcher = (doc) => isFound(doc) && matches(doc);
      return stream(decoded(reader, documentsOf(reader, collection, { ...selection, filter: both, matcher })));
    };
  };
  return { variables, search };
}

/** The documents of a pipeline on no collection: those of `$documents`, or the session of the client. */
function literalDocuments(stage: Value): Doc[] {
  const [name, operand] = stageOf(stage);
  if (name === '$listLocalSessions') return [new Map([['lastUse', new Date()]])];
  const code = name === '$changeStream' ? 'Location40573' : undefined;
  if (name !== '$documents') throw unsupported(`An aggregation without a collection that begins with ${name}`, code);
  check(Array.isArray(operand) && operand.every(isDoc), 'BadValue', '$documents needs an array of documents');
  return operand;
}

function* decoded(reader: Connection, documents: Iterable<Buffer>): Generator<Doc, void, void> {
  for (const bytes of documents) {
    reader.spend();
    yield decode(bytes);
  }
}

function* encoded(docs: Iterable<Doc>): Generator<Buffer, void, void> {
  for (const doc of docs) yield encode(doc);
}

/** Splits from the front of a pipeline the stages that SQLite can run: filters, then a sort, then skip and limit. */
export function splitPipeline(stages: readonly Value[], context: FilterContext) {
  const filters: Doc[] = [];
  let sort: Doc | undefined;
  let skip: number | undefined;
  let limit: number | undefined;
  let taken = 0;
  for (const stage of stages) {
    const [name, operand] = stageOf(stage);
    const number = isNumeric(operand) && Number.isInteger(toNumber(operand)) ? toNumber(operand) : 0;
    const isOpen = skip === undefined && limit === undefined;
    if (name === '$match' && isDoc(operand) && isOpen) filters.push(operand);
    else if (name === '$sort' && isDoc(operand) && operand.size > 0 && isOpen && !sort) sort = operand;
    else if (name === '$skip' && number > 0 && isOpen) skip = number;
    else if (name === '$limit' && number > 0 && limit === undefined) limit = number;
    else break;
    taken += 1;
  }
  const [only] = filters;
  const filter: Doc = filters.length > 1 ? new Map([['$and', filters]]) : (only ?? new Map());
  const selection: Selection = { filter, sort, skip, limit, context };
  return { selection, rest: stages.slice(taken) };
}

/** The answer of stages that only count, counted in the columns; undefined for any others. */
function countsOf(
  reader: Connection,
  collection: Collection,
  selection: Selection,
  [stage, ...others]: readonly Value[],
): Doc[] | undefined {
  if (stage === undefined) return undefined;
  if (others.length > 0) return elementCounts(reader, collection, selection, [stage, ...others]);
  const total = (fields: (n: number) => Record<string, Value>) => {
    const n = keptTotal(reader, collection, selection) ?? countDocuments(reader, collection, selection);
    return n > 0 ? [mapOf(fields(n))] : [];
  };
  const [name, operand] = stageOf(stage);
  if (name === '$count' && typeof operand === 'string' && isFieldName(operand)) return total((n) => ({ [operand]: n }));
  const group = countingGroup(stage);
  if (!group) return undefined;
  const { id, field } = group;
  if (id === null || typeof id === 'number') return total((n) => ({ _id: id, [field]: n }));
  const { sort, skip, limit, context } = selection;
  const path = collection.paths.find((indexed) => id === `$${indexed.path}`);
  if (!path || path.multikey || path.parts.some(isIndex) || sort || skip || limit || context.collator) return undefined;
  const groups =
    keptCounts(reader, collection, conditionsOf(selection.filter), path.path) ??
    countByValue(reader, collection, selection, path);
  return countsIn(field, groups);
}

/** The number of documents that fulfil conditions, from the numbers that a counting index without arrays keeps. */
function keptTotal(reader: Connection, collection: Collection, selection: Selection): number | undefined {
  const { filter, skip, limit, context } = selection;
  const conditions = conditionsOf(filter);
  const [[path] = ['']] = conditions;
  if (skip || limit || context.collator || pathNamed(collection, path)?.multikey !== false) return undefined;
  return keptCounts(reader, collection, conditions, path)?.reduce((sum, { count }) => sum + count, 0);
}

function countsIn(field: string, counts: readonly CountedValue[]): Doc[] {
  return counts.map(({ value, count }) => mapOf<Value>({ _id: value, [field]: count }));
}

/**
 * The answer of stages that count documents by each different element of a list, of all elements or of those that a second
 * condition chooses. If the first condition concerns the list, it must be the same: all documents with these elements are found.
 */
function elementCounts(
  reader: Connection,
  collection: Collection,
  { filter, sort, skip, limit, context }: Selection,
  stages: readonly Value[],
): Doc[] | undefined {
  const group = countingGroup(stages.at(-1) ?? null);
  const [, list = ''] = /^\$([^$.]+)$/.exec(String(group?.id)) ?? [];
  if (!group || !pathNamed(collection, list)?.multikey || sort || skip || limit || context.collator) return undefined;
  const different = mapOf<Value>({ $project: mapOf({ [list]: mapOf({ $setUnion: [`$${list}`] }) }) });
  const unwound = [different, mapOf<Value>({ $unwind: `$${list}` })];
  if (!equalValues(stages.slice(0, 2), unwound) || stages.length > 4) return undefined;
  const [name, chosen] = stages.length === 4 ? stageOf(stages[2] ?? null) : [];
  if (name !== undefined && !(name === '$match' && isDoc(chosen) && chosen.size === 1)) return undefined;
  const wanted = isDoc(chosen) ? chosen.get(list) : undefined;
  const conditions = conditionsOf(filter);
  const ofList = conditions.filter(([path]) => path === list);
  if (name !== undefined && wanted === undefined) return undefined;
  if (ofList.some(([, operand]) => wanted === undefined || !equalValues(operand, wanted))) return undefined;
  const all = [
    ...conditions.filter(([path]) => path !== list),
    ...(wanted === undefined ? [] : [[list, wanted] as const]),
  ];
  const counts = keptCounts(reader, collection, all, list);
  return counts && countsIn(group.field, counts);
}

/** The conditions of a filter, all of which must be fulfilled. */
function conditionsOf(filter: Doc): Conditions {
  return [...filter].flatMap(([path, operand]) =>
    path === '$and' && Array.isArray(operand)
      ? operand.filter(isDoc).flatMap(conditionsOf)
      : [[path, operand] as const],
  );
}

/** The `_id` of a `$group` and its one field, which counts. */
function countingGroup(stage: Value): { readonly id: Value; readonly field: string } | undefined {
  const [name, operand] = stageOf(stage);
  if (name !== '$group' || !isDoc(operand) || operand.size !== 2) return undefined;
  const [[first, id] = ['', null], [field, sum] = ['', null]] = [...operand];
  const isCount = isDoc(sum) && sum.size === 1 && sum.get('$sum') === 1;
  return first === '_id' && isFieldName(field) && isCount ? { id, field } : undefined;
}
