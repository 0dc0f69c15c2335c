import { BSONRegExp, Timestamp } from 'bson';
import { check, checkForm, MongoError } from '../bson/mongo-error.ts';
import { compareValues, equalValues } from '../bson/key.ts';
import { add, isNumeric, multiply, toNumber } from '../bson/numbers.ts';
import { isDoc, mapOf, typeOf, type Doc, type OptionalValue, type Value } from '../bson/value.ts';
import { compileElement } from '../query/match.ts';
import { slice } from '../query/operators/collections.ts';
import { compareDocs, parseSort } from '../query/sort.ts';
import type { Change } from './change-path.ts';

/** Reads the operand of an update operator at one path. */
type UpdateOperator = (operand: Value) => Change;

/** The update operators by name. */
export const UPDATE_OPERATORS = mapOf<UpdateOperator>({
  $set: creating((_value, operand) => operand),
  $setOnInsert: creating((_value, operand) => operand),
  $unset: () => ({ creates: false, apply: () => undefined }),
  $inc: creating((value, operand) =>
    value === undefined ? numeric('$inc', operand) : add(numeric('$inc', value), numeric('$inc', operand)),
  ),
  $mul: creating((value, operand) => multiply(numeric('$mul', value ?? 0), numeric('$mul', operand))),
  $min: creating((value, operand) => (value === undefined || compareValues(operand, value) < 0 ? operand : value)),
  $max: creating((value, operand) => (value === undefined || compareValues(operand, value) > 0 ? operand : value)),
  $currentDate: creating((_value, operand) => currentDate(operand)),
  $push: creating((value, operand) => push(arrayOf('$push', value), operand)),
  $addToSet: creating((value, operand) => addToSet(arrayOf('$addToSet', value), operand)),
  $pop: changing(pop),
  $pull: (operand) => {
    const matches = pullTest(operand);
    return { creates: false, apply: (value) => removed('$pull', value, matches) };
  },
  $pullAll: changing((value, operand) => {
    check(Array.isArray(operand), 'BadValue', '$pullAll requires an array argument');
    return removed('$pullAll', value, (element) => operand.some((unwanted) => equalValues(unwanted, element)));
  }),
});

function creating(apply: (value: OptionalValue, operand: Value) => OptionalValue): UpdateOperator {
  return (operand) => ({ creates: true, apply: (value) => apply(value, operand) });
}

function changing(apply: (value: Value, operand: Value) => OptionalValue): UpdateOperator {
  return (operand) => ({
    creates: false,
    apply: (value) => (value === undefined ? undefined : apply(value, operand)),
  });
}

function numeric(name: string, value: Value) {
  if (isNumeric(value)) return value;
  throw new MongoError('TypeMismatch', `Cannot apply ${name} to a value of non-numeric type ${typeOf(value)}`);
}

function currentDate(operand: Value): Value {
  const type = isDoc(operand) ? operand.get('$type') : 'date';
  if (type === 'timestamp') return new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
  check(type === 'date', 'BadValue', "The '$type' string field is required to be 'date' or 'timestamp'");
  return new Date();
}

function arrayOf(name: string, value: OptionalValue): Value[] {
  if (value === undefined || Array.isArray(value)) return value ?? [];
  throw new MongoError('BadValue', `The field must be an array but is of type ${typeOf(value)} for ${name}`);
}

function push(array: Value[], operand: Value): Value[] {
  if (!isDoc(operand) || !operand.has('$each')) return [...array, operand];
  const sort = operand.get('$sort');
  const at = option(operand, '$position') ?? array.length;
  const longer = array.toSpliced(at, 0, ...eachOf('$push', operand));
  const sorted = sort === undefined ? longer : longer.sort(sorter(sort));
  const length = option(operand, '$slice');
  return length === undefined ? sorted : slice(sorted, length);
}

function option(operand: Doc, name: string): number | undefined {
  const value = operand.get(name);
  if (value === undefined) return undefined;
  const number = isNumeric(value) ? toNumber(value) : Number.NaN;
  check(Number.isInteger(number), 'BadValue', `The value for ${name} must be an integer value`);
  return number;
}

function eachOf(name: string, operand: Doc): Value[] {
  const each = operand.get('$each');
  check(Array.isArray(each), 'BadValue', `The argument to $each in ${name} must be an array`);
  const clauses = ['$each', ...(name === '$push' ? ['$slice', '$sort', '$position'] : [])];
  for (const key of operand.keys()) check(clauses.includes(key), 'BadValue', `Unrecognized clause in ${name}: ${key}`);
  return each;
}

function sorter(sort: Value): (a: Value, b: Value) => number {
  if (isNumeric(sort)) return (a, b) => compareValues(a, b) * toNumber(sort);
  const message = 'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields';
  check(isDoc(sort), 'BadValue', message);
  const compare = compareDocs(parseSort(sort));
  return (a, b) => (isDoc(a) && isDoc(b) ? compare(a, b) : compareValues(a, b));
}

function addToSet(array: Value[], operand: Value): Value[] {
  const additions = isDoc(operand) && operand.has('$each') ? eachOf('$addToSet', operand) : [operand];
  const set = [...array];
  for (const value of additions) if (!set.some((element) => equalValues(element, value))) set.push(value);
  return set;
}

function pop(value: Value, operand: Value): Value {
  const end = isNumeric(operand) ? toNumber(operand) : 0;
  checkForm(end === 1 || end === -1, '$pop expects 1 or -1');
  const array = arrayOf('$pop', value);
  return end === 1 ? array.slice(0, -1) : array.slice(1);
}

function pullTest(operand: Value): (element: Value) => boolean {
  if (isDoc(operand)) return compileElement(operand);
  if (operand instanceof BSONRegExp) return compileElement(new Map([['$in', [operand]]]));
  return (element) => equalValues(element, operand);
}

function removed(name: string, value: OptionalValue, matches: (element: Value) => boolean): OptionalValue {
  return value === undefined ? undefined : arrayOf(name, value).filter((element) => !matches(element));
}
