import { mongo } from 'mongoose';

const { BSON, ObjectId } = mongo;

type Fields = Record<string, unknown>;

/** Says why a value does not match what a unified test expects; undefined when it does. */
export function mismatch(expected: unknown, found: unknown, isRoot = false, at = 'value'): string | undefined {
  const actual = found instanceof Map ? Object.fromEntries(found) : found;
  if (isFields(expected)) {
    const [name = ''] = Object.keys(expected);
    if (name.startsWith('$$')) return special(name, expected[name], actual, isRoot, at);
    if (!isFields(actual)) return `${at}: expected a document, got ${show(actual)}`;
    for (const [key, value] of Object.entries(expected)) {
      const isSpecial = isFields(value) && Object.keys(value)[0]?.startsWith('$$');
      if (!(key in actual) && !isSpecial) return `${at}.${key}: missing`;
      const reason = mismatch(value, actual[key], false, `${at}.${key}`);
      if (reason) return reason;
    }
    const extra = isRoot
      ? undefined
      : Object.keys(actual).find((key) => actual[key] !== undefined && !(key in expected));
    return extra === undefined ? undefined : `${at}.${extra}: not expected`;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return `${at}: expected ${show(expected)}, got ${show(actual)}`;
    return expected.map((value, index) => mismatch(value, actual[index], isRoot, `${at}[${index}]`)).find(Boolean);
  }
  return show(plain(expected)) === show(plain(actual))
    ? undefined
    : `${at}: expected ${show(expected)}, got ${show(actual)}`;
}

function special(name: string, operand: unknown, actual: unknown, isRoot: boolean, at: string): string | undefined {
  switch (name) {
    case '$$exists':
      return (actual !== undefined) === operand ? undefined : `${at}: exists is not ${String(operand)}`;
    case '$$unsetOrMatches':
      return actual === undefined || actual === null ? undefined : mismatch(operand, actual, isRoot, at);
    case '$$type':
      return [operand].flat().some((type) => hasType(String(type), actual))
        ? undefined
        : `${at}: ${show(actual)} is no ${String(operand)}`;
    case '$$lte':
      return Number(actual) <= Number(operand) ? undefined : `${at}: ${show(actual)} is above ${String(operand)}`;
    case '$$matchAsRoot':
      return mismatch(operand, actual, true, at);
    default:
      return `${at}: the runner does not know ${name}`;
  }
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'objectId') return value instanceof ObjectId;
  if (type === 'array') return Array.isArray(value);
  if (type === 'string') return typeof value === 'string';
  if (type === 'object') return isFields(value);
  if (['int', 'long', 'double', 'number'].includes(type)) return typeof plain(value) === 'number';
  return type === 'bool' && typeof value === 'boolean';
}

function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !('_bsontype' in value) &&
    !(value instanceof Date) &&
    !(value instanceof RegExp)
  );
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof BSON.Long) return value.toNumber();
  return value instanceof BSON.Int32 || value instanceof BSON.Double ? Number(value.valueOf()) : value;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : BSON.EJSON.stringify({ value });
}
