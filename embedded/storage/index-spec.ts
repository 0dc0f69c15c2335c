import { check, unsupported } from '../bson/mongo-error.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { equalValues } from '../bson/key.ts';
import { isDoc, mapOf, type Doc, type Value } from '../bson/value.ts';
import { compileFilter } from '../query/match.ts';

/** The paths of an index in order, each ascending (1) or descending (-1). */
export type KeyPattern = ReadonlyArray<{ readonly path: string; readonly direction: 1 | -1 }>;

const OPTIONS = 'v key name unique sparse background expireAfterSeconds partialFilterExpression ns hidden'.split(' ');

/** Reads a key pattern; throws for kinds of index other than ascending and descending. */
export function parsePattern(key: Value): KeyPattern {
  checkIndex(isDoc(key) && key.size > 0, 'Index keys cannot be an empty object');
  return [...key].map(([path, kind]) => {
    if (typeof kind === 'string') throw unsupported(`Index type '${kind}'`);
    const isName = !path.includes('$') && !path.split('.').includes('');
    checkIndex(isName, `Index key contains an illegal field name: '${path}'`);
    const direction = isNumeric(kind) ? toNumber(kind) : 0;
    checkIndex(direction !== 0, 'Values in the index key pattern must be non-zero numbers');
    return { path, direction: direction > 0 ? 1 : -1 };
  });
}

/** Checks an index specification and completes it with its name and version. */
export function completeSpec(source: Doc): Doc {
  for (const option of source.keys()) {
    if (option === 'collation') throw unsupported('Index option collation');
    const message = `The field '${option}' is not valid for an index specification`;
    check(OPTIONS.includes(option), 'InvalidIndexSpecificationOption', message);
  }
  const key = source.get('key') ?? null;
  const pattern = parsePattern(key);
  const spec: Doc = mapOf({ v: 2, key, name: source.get('name') ?? nameOf(pattern) });
  for (const flag of ['unique', 'sparse']) if (isSet(source.get(flag))) spec.set(flag, true);
  if (isSet(source.get('hidden'))) throw unsupported('Index option hidden');
  const filter = source.get('partialFilterExpression');
  if (filter !== undefined) {
    check(isDoc(filter), 'TypeMismatch', "The field 'partialFilterExpression' must be an object");
    checkIndex(!spec.has('sparse'), 'cannot mix "partialFilterExpression" and "sparse" options');
    compileFilter(filter);
    spec.set('partialFilterExpression', filter);
  }
  addExpiry(source, spec, pattern);
  return spec;
}

/** Returns true if two specifications describe the same index, apart from its name. */
export function sameOptions(a: Doc, b: Doc): boolean {
  return ['unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression'].every((option) =>
    equalValues(a.get(option) ?? null, b.get(option) ?? null),
  );
}

/** The name MongoDB gives an index that has none. */
function nameOf(pattern: KeyPattern): string {
  return pattern.map(({ path, direction }) => `${path}_${direction}`).join('_');
}

function addExpiry(source: Doc, spec: Doc, pattern: KeyPattern): void {
  const seconds = source.get('expireAfterSeconds');
  if (seconds === undefined) return;
  const isCount = isNumeric(seconds) && toNumber(seconds) >= 0;
  checkIndex(isCount, 'TTL index expireAfterSeconds must be a non-negative number');
  const isSingle = pattern.length === 1 && pattern[0]?.path !== '_id';
  checkIndex(isSingle, 'TTL indexes are single-field indexes, and not on _id');
  spec.set('expireAfterSeconds', seconds);
}

function isSet(value: Value | undefined): boolean {
  return value === true || (isNumeric(value) && toNumber(value) !== 0);
}

function checkIndex(condition: unknown, message: string): asserts condition {
  check(condition, 'CannotCreateIndex', message);
}
