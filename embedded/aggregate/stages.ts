import { MongoError } from '../bson/mongo-error.ts';
import { compareValues, keyOf } from '../bson/key.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, OptionalValue, Value } from '../bson/value.ts';
import { compileExpression } from '../query/expression.ts';
import type { Variables } from '../query/expression.ts';
import { compileFilter } from '../query/match.ts';
import { compileProjection } from '../query/project.ts';
import { isFieldName } from '../query/path.ts';
import { compareDocs, parseSort } from '../query/sort.ts';
import { compileAccumulator } from './accumulators.ts';
import { addFields } from './add-fields.ts';
import { compileLookup } from './lookup.ts';
import type { StageCompiler } from './stage.ts';
import { compileUnwind } from './unwind.ts';

const TABLE: Readonly<Record<string, StageCompiler>> = {
  $match: (operand, { variables }) => {
    const matches = compileFilter(docOf('$match', operand), { variables });
    return (docs) => filter(docs, (doc) => matches(doc));
  },
  $sort: (operand) => {
    const keys = parseSort(docOf('$sort', operand));
    if (keys.length === 0) throw new MongoError('Location15976', '$sort stage must have at least one sort key');
    const compare = compareDocs(keys);
    return (docs) => [...docs].sort(compare);
  },
  $project: (operand, { variables }) => {
    const spec = docOf('$project', operand);
    if (spec.size === 0)
      throw new MongoError(
        'Location51272',
        'Invalid $project :: caused by :: projection specification must have at least one field',
      );
    const project = compileProjection(spec, { variables });
    return (docs) => map(docs, project);
  },
  $addFields: (operand, { variables }) => {
    const add = addFields(docOf('$addFields', operand), variables);
    return (docs) => map(docs, add);
  },
  $unset: (operand, { variables }) => {
    const names = Array.isArray(operand) ? operand : [operand];
    const project = compileProjection(new Map(names.map((name) => [String(name), 0])), { variables });
    return (docs) => map(docs, project);
  },
  $replaceRoot: (operand, { variables }) =>
    replaceRoot(docOf('$replaceRoot', operand).get('newRoot') ?? null, variables),
  $replaceWith: (operand, { variables }) => replaceRoot(operand, variables),
  $limit: (operand) => {
    const limit = count('$limit', operand);
    if (limit === 0) throw new MongoError('Location15958', 'the limit must be positive');
    return (docs) => take(docs, limit);
  },
  $skip: (operand) => {
    const skip = count('$skip', operand);
    return (docs) => drop(docs, skip);
  },
  $count: (operand) => {
    if (typeof operand !== 'string' || !isFieldName(operand))
      throw new MongoError('BadValue', "the count field must be a non-empty string without '.' and a first '$'");
    return (docs) => {
      const n = [...docs].length;
      return n > 0 ? [new Map([[operand, n]])] : [];
    };
  },
  $group: (operand, { variables }) => compileGroup(docOf('$group', operand), variables),
  $sortByCount: (operand, { variables }) => {
    const group = compileGroup(
      new Map<string, Value>([
        ['_id', operand],
        ['count', new Map([['$sum', 1]])],
      ]),
      variables,
    );
    return (docs) => [...group(docs)].sort((a, b) => compareValues(b.get('count') ?? null, a.get('count') ?? null));
  },
  $unwind: compileUnwind,
  $facet: (operand, context, compile) => {
    const facets = [...docOf('$facet', operand)].map(
      ([name, stages]) => [name, compile(stagesOf(stages), context)] as const,
    );
    return (docs) => {
      const all = [...docs];
      return [new Map(facets.map(([name, stream]) => [name, [...stream(all)]]))];
    };
  },
  $lookup: compileLookup,
};

/** The stages by name. */
export const STAGES: ReadonlyMap<string, StageCompiler> = new Map([
  ...Object.entries(TABLE),
  ['$set', TABLE.$addFields as StageCompiler],
]);

function compileGroup(spec: Doc, variables: Variables) {
  const id = spec.get('_id');
  if (id === undefined) throw new MongoError('BadValue', 'a group specification must include an _id');
  const key = compileExpression(id);
  const accumulators = [...spec]
    .filter(([name]) => name !== '_id')
    .map(([name, source]) => compileAccumulator(name, source));
  return (docs: Iterable<Doc>): Doc[] => {
    const groups = new Map<string, { id: Value; inputs: OptionalValue[][] }>();
    for (const root of docs) {
      const value = key({ root, variables }) ?? null;
      const name = keyOf(value).toString('latin1');
      const group = groups.get(name) ?? { id: value, inputs: accumulators.map(() => []) };
      groups.set(name, group);
      for (const [place, { input }] of accumulators.entries()) group.inputs[place]?.push(input({ root, variables }));
    }
    return [...groups.values()].map(
      (group) =>
        new Map([
          ['_id', group.id],
          ...accumulators.map(
            ({ name, accumulate }, place) => [name, accumulate(group.inputs[place] ?? [])] as [string, Value],
          ),
        ]),
    );
  };
}

function replaceRoot(source: Value, variables: Variables) {
  const expression = compileExpression(source);
  return (docs: Iterable<Doc>) =>
    map(docs, (root) => {
      const value = expression({ root, variables });
      if (!isDoc(value)) throw new MongoError('Location40228', "'newRoot' expression must evaluate to an object");
      return value;
    });
}

function stagesOf(value: Value): Value[] {
  if (!Array.isArray(value)) throw new MongoError('BadValue', 'A pipeline must be an array of stages');
  return value;
}

function docOf(name: string, value: Value): Doc {
  if (!isDoc(value)) throw new MongoError('BadValue', `the ${name} specification must be an object`);
  return value;
}

function count(name: string, value: Value): number {
  if (!isNumeric(value) || !Number.isInteger(toNumber(value)) || toNumber(value) < 0)
    throw new MongoError('BadValue', `invalid argument to ${name} stage: must be a non-negative whole number`);
  return toNumber(value);
}

function* filter(docs: Iterable<Doc>, test: (doc: Doc) => boolean): Generator<Doc> {
  for (const doc of docs) if (test(doc)) yield doc;
}

function* map(docs: Iterable<Doc>, change: (doc: Doc) => Doc): Generator<Doc> {
  for (const doc of docs) yield change(doc);
}

function* take(docs: Iterable<Doc>, limit: number): Generator<Doc> {
  let taken = 0;
  for (const doc of docs) {
    yield doc;
    taken += 1;
    if (taken >= limit) return;
  }
}

function* drop(docs: Iterable<Doc>, skip: number): Generator<Doc> {
  let seen = 0;
  for (const doc of docs) {
    seen += 1;
    if (seen > skip) yield doc;
  }
}
