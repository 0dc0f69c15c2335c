import { check, unsupported } from '../bson/mongo-error.ts';
import { distinct, mergeObjects } from '../query/operators/collections.ts';
import { isFieldName } from '../query/path.ts';
import { average, extreme, sum } from '../query/operators/arithmetic.ts';
import { compileExpression, type Expression } from '../query/expression.ts';
import { isDoc, mapOf, type OptionalValue, type Value } from '../bson/value.ts';

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
export interface Accumulator {
  readonly name: string;
  readonly input: Expression;
  readonly accumulate: Accumulate;
}

/** Reads a field of `$group`, such as `{ total: { $sum: '$price' } }`. */
export function compileAccumulator(name: string, source: Value): Accumulator {
  check(isFieldName(name), 'Location40235', `The field name '${name}' may not be a path or begin with '$'`);
  const [entry, ...others] = isDoc(source) ? source : [];
  check(entry && others.length === 0, 'Location40234', `The field '${name}' must be an accumulator object`);
  const [operator, operand] = entry;
  const accumulate = ACCUMULATORS.get(operator);
  if (!accumulate) throw unsupported(`Accumulator ${operator}`);
  return { name, input: compileExpression(operator === '$count' ? 1 : operand), accumulate };
}
