import { compareValues, keyOf } from '../bson/key.ts';
import { check, checkForm, docOf, unsupported } from '../bson/mongo-error.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { type Doc, isDoc, mapOf, type OptionalValue, setOrDelete, type Value } from '../bson/value.ts';
import { compileExpression, type Expression, type Variables } from '../query/expression.ts';
import { compileFilter } from '../query/match.ts';
import { checkFieldPath, isFieldName } from '../query/path.ts';
import { compileProjection } from '../query/project.ts';
import { compareDocs, parseSort } from '../query/sort.ts';
import { compileLookup } from './lookup.ts';
import type { StageContext, Stream } from './stage.ts';
import { compileUnwind } from './unwind.ts';
import { distinct, mergeObjects } from '../query/operators/collections.ts';
import { average, extreme, sum } from '../query/operators/arithmetic.ts';

/** Computes the value of a group from the values of an expression for its documents, in order. */
type Accumulate = (values: OptionalValue[]) => Value;

const ACCUMULATORS = mapOf<Accumulate>({
  $sum: sum,
  $avg: average,
  $min: (values) => extreme(values, -1),
  $max: (values) => extreme(values, 1),
  $first: (values) => values[0] ?? null,
  $last: (values) => values.at(-1) ?? null,
  $push: (values) => values.filter((value) => value !== undefined),
  $addToSet: (values) => distinct(values.filter((value) => value !== undefined)),
  $count: (values) => values.length,
  $mergeObjects: mergeObjects,
});

/** One field of `$group`. */
interface Accumulator {
  readonly name: string;
  readonly input: Expression;
  readonly accumulate: Accumulate;
}

/** Reads a field of `$group`, such as `{ total: { $sum: '$price' } }`. */
function compileAccumulator(name: string, source: Value): Accumulator {
  check(isFieldName(name), 'Location40235', `The field name '${name}' may not be a path or begin with '$'`);
  const [entry, ...others] = isDoc(source) ? source : [];
  check(entry && others.length === 0, 'Location40234', `The field '${name}' must be an accumulator object`);
  const [operator, operand] = entry;
  const accumulate = ACCUMULATORS.get(operator);
  if (!accumulate) throw unsupported(`Accumulator ${operator}`);
  return { name, input: compileExpression(operator === '$count' ? 1 : operand), accumulate };
}

/** Stages of MongoDB that this server does not have, or not in this place; any other name is not a stage. */
const UNSUPPORTED =
  '$out $merge $geoNear $search $vectorSearch $text $bucket $bucketAuto $collStats $currentOp $densify $documents $fill $graphLookup $indexStats $listSessions $planCacheStats $redact $sample $setWindowFields';

/** Prepares a pipeline; throws for a stage this server does not have. */
export function compilePipeline(stages: readonly Value[], context: StageContext): Stream {
  const streams = stages.map((stage) => {
    const [name, operand] = stageOf(stage);
    if (name === '$changeStream') throw unsupported('The $changeStream stage', 'Location40573');
    const compile = STAGES.get(name);
    if (compile) return compile(operand, context);
    check(UNSUPPORTED.split(' ').includes(name), 'Location40324', `Unrecognized pipeline stage name: '${name}'`);
    throw unsupported(`The ${name} stage`);
  });
  return (docs) => streams.reduce((result, stream) => stream(result), docs);
}

/** The name and operand of a stage. */
export function stageOf(stage: Value): [string, Value] {
  const [entry, ...others] = isDoc(stage) ? stage : [];
  const message = 'A pipeline stage specification object must contain exactly one field.';
  check(entry && others.length === 0, 'Location40323', message);
  return entry;
}

type StageCompiler = (operand: Value, context: StageContext) => Stream;

const $addFields: StageCompiler = (operand, { variables }) => {
  const add = addFields(docOf('$addFields', operand), variables);
  return (docs) => map(docs, add);
};

/** Each stage by its name: prepares what it does with the documents that come to it. */
const STAGES = mapOf<StageCompiler>({
  $match: (operand, { variables }) => {
    const matches = compileFilter(docOf('$match', operand), { variables });
    return function* (docs) {
      for (const doc of docs) if (matches(doc)) yield doc;
    };
  },
  $sort: (operand) => {
    const keys = parseSort(docOf('$sort', operand));
    check(keys.length > 0, 'Location15976', '$sort stage must have at least one sort key');
    const compare = compareDocs(keys);
    return (docs) => [...docs].sort(compare);
  },
  $project: (operand, { variables }) => {
    const spec = docOf('$project', operand);
    const message = 'Invalid $project :: caused by :: projection specification must have at least one field';
    check(spec.size > 0, 'Location51272', message);
    const project = compileProjection(spec, { variables });
    return (docs) => map(docs, project);
  },
  $addFields,
  $set: $addFields,
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
    check(limit > 0, 'Location15958', 'the limit must be positive');
    return (docs) => between(docs, 0, limit);
  },
  $skip: (operand) => {
    const skip = count('$skip', operand);
    return (docs) => between(docs, skip);
  },
  $count: (operand) => {
    const isName = typeof operand === 'string' && isFieldName(operand);
    check(isName, 'BadValue', "the count field must be a non-empty string without '.' and a first '$'");
    return (docs) => {
      const n = [...docs].length;
      return n > 0 ? [new Map([[operand, n]])] : [];
    };
  },
  $group: (operand, { variables }) => compileGroup(docOf('$group', operand), variables),
  $sortByCount: (operand, { variables }) => {
    const count: Doc = new Map([['$sum', 1]]);
    const group = compileGroup(mapOf<Value>({ _id: operand, count }), variables);
    return (docs) => [...group(docs)].sort((a, b) => compareValues(b.get('count') ?? null, a.get('count') ?? null));
  },
  $unwind: compileUnwind,
  $facet: (operand, context) => {
    const facets = [...docOf('$facet', operand)].map(([name, stages]) => {
      check(Array.isArray(stages), 'BadValue', 'A pipeline must be an array of stages');
      return [name, compilePipeline(stages, context)] as const;
    });
    return (docs) => {
      const all = [...docs];
      return [new Map(facets.map(([name, stream]) => [name, [...stream(all)]]))];
    };
  },
  $lookup: compileLookup,
  $unionWith: (operand, context) => {
    const [name, stages] = otherOf(operand);
    const search = context.search(name, stages, context.variables);
    return function* (docs) {
      yield* docs;
      yield* search(new Map());
    };
  },
});

/** The collection of `$unionWith`, and the pipeline on it. */
function otherOf(operand: Value): [string, readonly Value[]] {
  if (typeof operand === 'string') return [operand, []];
  const [name, stages = []] = isDoc(operand) ? [operand.get('coll'), operand.get('pipeline')] : [];
  const message = 'the $unionWith stage specification must be a string, or an object with coll and an array pipeline';
  const isKnown = isDoc(operand) && [...operand.keys()].every((key) => key === 'coll' || key === 'pipeline');
  checkForm(isKnown && typeof name === 'string' && Array.isArray(stages), message);
  return [name, stages];
}

function compileGroup(spec: Doc, variables: Variables) {
  const id = spec.get('_id');
  check(id !== undefined, 'BadValue', 'a group specification must include an _id');
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
    return [...groups.values()].map((group) => {
      const result: Doc = new Map([['_id', group.id]]);
      for (const [place, { name, accumulate }] of accumulators.entries())
        result.set(name, accumulate(group.inputs[place] ?? []));
      return result;
    });
  };
}

function replaceRoot(source: Value, variables: Variables) {
  const expression = compileExpression(source);
  return (docs: Iterable<Doc>) =>
    map(docs, (root) => {
      const value = expression({ root, variables });
      check(isDoc(value), 'Location40228', "'newRoot' expression must evaluate to an object");
      return value;
    });
}

function count(name: string, value: Value): number {
  const number = isNumeric(value) ? toNumber(value) : -1;
  const isCount = Number.isInteger(number) && number >= 0;
  check(isCount, 'BadValue', `invalid argument to ${name} stage: must be a non-negative whole number`);
  return number;
}

function* map(docs: Iterable<Doc>, change: (doc: Doc) => Doc): Generator<Doc> {
  for (const doc of docs) yield change(doc);
}

/** The documents from one place until before another; none behind it is read. */
function* between(docs: Iterable<Doc>, from: number, until = Number.POSITIVE_INFINITY): Generator<Doc> {
  let place = 0;
  for (const doc of docs) {
    if (place >= from) yield doc;
    place += 1;
    if (place >= until) return;
  }
}

/** Prepares `$addFields`: sets computed values at paths, through documents and every element of arrays. */
function addFields(spec: Doc, variables: Variables): (doc: Doc) => Doc {
  const fields = [...spec].flatMap(([path, source]) => flatten(path.split('.'), source));
  return (root) =>
    fields.reduce<Doc>((doc, [path, expression]) => setIn(doc, path, 0, expression({ root, variables })) as Doc, root);
}

/** A document without operators sets each of its fields and keeps the others. */
function flatten(path: string[], source: Value): Array<[string[], Expression]> {
  checkFieldPath(path);
  if (isDoc(source) && source.size > 0 && ![...source.keys()].some((name) => name.startsWith('$'))) {
    return [...source].flatMap(([name, value]) => flatten([...path, ...name.split('.')], value));
  }
  return [[path, compileExpression(source)]];
}

function setIn(container: OptionalValue, path: string[], at: number, value: OptionalValue): Value {
  if (Array.isArray(container)) return container.map((element) => setIn(element, path, at, value));
  const part = path[at] ?? '';
  const doc: Doc = new Map(isDoc(container) ? container : []);
  const inner = at + 1 === path.length ? value : setIn(doc.get(part), path, at + 1, value);
  setOrDelete(doc, part, inner);
  return doc;
}
