import { MongoError, unsupported } from '../bson/mongo-error.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { equalValues } from '../bson/key.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, Value } from '../bson/value.ts';
import { compileFilter } from '../query/match.ts';

/** The paths of an index in order, each ascending (1) or descending (-1). */
export type KeyPattern = ReadonlyArray<{ readonly path: string; readonly direction: 1 | -1 }>;

const OPTIONS = new Set([
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'background',
  'expireAfterSeconds',
  'partialFilterExpression',
  'ns',
  'hidden',
]);

/** Reads a key pattern; refuses kinds of index other than ascending and descending. */
export function parsePattern(key: Value): KeyPattern {
  if (!isDoc(key) || key.size === 0) throw new MongoError('CannotCreateIndex', 'Index keys cannot be an empty object');
  return [...key].map(([path, kind]) => {
    if (typeof kind === 'string') throw unsupported(`Index type '${kind}'`);
    if (path === '' || path.includes('$') || path.split('.').includes(''))
      throw new MongoError('CannotCreateIndex', `Index key contains an illegal field name: '${path}'`);
    if (!isNumeric(kind) || toNumber(kind) === 0)
      throw new MongoError('CannotCreateIndex', 'Values in the index key pattern must be non-zero numbers');
    return { path, direction: toNumber(kind) > 0 ? 1 : -1 };
  });
}

/** Checks an index specification and completes it with its name and version. */
export function completeSpec(source: Doc): Doc {
  for (const option of source.keys()) {
    if (option === 'collation') throw unsupported('Index option collation');
    if (!OPTIONS.has(option))
      throw new MongoError(
        'InvalidIndexSpecificationOption',
        `The field '${option}' is not valid for an index specification`,
      );
  }
  const key = source.get('key') ?? null;
  const pattern = parsePattern(key);
  const spec: Doc = new Map<string, Value>([
    ['v', 2],
    ['key', key],
    ['name', source.get('name') ?? nameOf(pattern)],
  ]);
  for (const flag of ['unique', 'sparse']) if (isSet(source.get(flag))) spec.set(flag, true);
  if (isSet(source.get('hidden'))) throw unsupported('Index option hidden');
  const filter = source.get('partialFilterExpression');
  if (filter !== undefined) {
    if (!isDoc(filter)) throw new MongoError('TypeMismatch', "The field 'partialFilterExpression' must be an object");
    if (spec.has('sparse'))
      throw new MongoError('CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
    compileFilter(filter);
    spec.set('partialFilterExpression', filter);
  }
  addExpiry(source, spec, pattern);
  return spec;
}

/** Says whether two specifications ask for the same index, whatever its name. */
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
  if (!isNumeric(seconds) || !(toNumber(seconds) >= 0))
    throw new MongoError('CannotCreateIndex', 'TTL index expireAfterSeconds must be a non-negative number');
  if (pattern.length > 1 || pattern[0]?.path === '_id')
    throw new MongoError('CannotCreateIndex', 'TTL indexes are single-field indexes, and not on _id');
  spec.set('expireAfterSeconds', seconds);
}

function isSet(value: Value | undefined): boolean {
  return value === true || (isNumeric(value) && toNumber(value) !== 0);
}
