import { MongoError, unsupported } from '../bson/mongo-error.ts';
import { distinct } from '../query/operators/lists.ts';
import { mergeObjects } from '../query/operators/objects.ts';
import { isFieldName } from '../query/path.ts';
import { average, extreme, sum } from '../query/operators/totals.ts';
import { compileExpression } from '../query/expression.ts';
import type { Expression } from '../query/expression.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, OptionalValue, Value } from '../bson/value.ts';

/** Makes the value of a group from what an expression gave for each of its documents, in order. */
type Accumulate = (values: OptionalValue[]) => Value;

const TABLE: Readonly<Record<string, Accumulate>> = {
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
};

/** One field of `$group`. */
export interface Accumulator {
  readonly name: string;
  readonly input: Expression;
  readonly accumulate: Accumulate;
}

/** Reads a field of `$group`, such as `{ total: { $sum: '$price' } }`. */
export function compileAccumulator(name: string, source: Value): Accumulator {
  if (!isFieldName(name))
    throw new MongoError('Location40235', `The field name '${name}' may not be a path or begin with '$'`);
  if (!isDoc(source) || source.size !== 1)
    throw new MongoError('Location40234', `The field '${name}' must be an accumulator object`);
  const [[operator, operand] = ['', null]] = source as Doc;
  const accumulate = TABLE[operator];
  if (!accumulate) throw unsupported(`Accumulator ${operator}`);
  return { name, input: compileExpression(operator === '$count' ? 1 : operand), accumulate };
}
