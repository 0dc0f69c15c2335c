import { MongoError, check } from '../../bson/mongo-error.ts';
import { isNumeric, toNumber, type Numeric } from '../../bson/numbers.ts';
import { typeOf, type OptionalValue, type Value } from '../../bson/value.ts';

/** An expression operator whose arguments are evaluated first. */
export interface Operator {
  readonly min: number;
  readonly max: number;
  readonly apply: (args: OptionalValue[]) => OptionalValue;
}

/** Operators by name. */
export type OperatorTable = Readonly<Record<string, Operator>>;

/** An operator of a number of arguments, which may be null or missing. */
export function exactly(count: number, apply: Operator['apply']): Operator {
  return { min: count, max: count, apply };
}

/** An operator of any arguments, which may be null or missing. */
export function any(apply: Operator['apply']): Operator {
  return { min: 0, max: Number.POSITIVE_INFINITY, apply };
}

/** An operator of one argument that is null if its argument is null or missing. */
export function one(apply: (a: Value) => OptionalValue): Operator {
  return exactly(1, ([a]) => (a === undefined || a === null ? null : apply(a)));
}

/** An operator of two arguments that is null if one of them is null or missing. */
export function two(apply: (a: Value, b: Value) => OptionalValue): Operator {
  return exactly(2, ([a, b]) => (a === undefined || a === null || b === undefined || b === null ? null : apply(a, b)));
}

/** An operator of any arguments that is null if one of them is null or missing. */
export function many(apply: (args: Value[]) => OptionalValue): Operator {
  return any((args) =>
    args.some((value) => value === undefined || value === null)
      ? null
      : apply(args.filter((value) => value !== undefined)),
  );
}

/** An argument that must be a number. */
export function number(name: string, value: OptionalValue): Numeric {
  if (isNumeric(value)) return value;
  throw new MongoError('TypeMismatch', `${name} only supports numeric types, not ${typeOrMissing(value)}`);
}

/** An argument that must be a whole number. */
export function whole(name: string, value: OptionalValue): number {
  const found = toNumber(number(name, value));
  check(Number.isInteger(found), 'BadValue', `${name} requires whole numbers, found ${found}`);
  return found;
}

/** An argument that must be a string. */
export function string(name: string, value: OptionalValue): string {
  if (typeof value === 'string') return value;
  throw new MongoError('BadValue', `${name} only supports strings, not ${typeOrMissing(value)}`);
}

/** An argument that must be an array. */
export function array(name: string, value: OptionalValue): Value[] {
  if (Array.isArray(value)) return value;
  const type = typeOrMissing(value);
  throw new MongoError('BadValue', `The argument to ${name} must be an array, but was of type: ${type}`);
}

/** The name of the type of a value, as `$type` spells it. */
export function typeOrMissing(value: OptionalValue): string {
  return value === undefined ? 'missing' : typeOf(value);
}

/** The arguments of an operator that also takes them as one array. */
export function spread(args: OptionalValue[]): OptionalValue[] {
  return args.length === 1 && Array.isArray(args[0]) ? args[0] : args;
}
