import { BSONRegExp } from 'bson';
import { keyOf } from '../bson/key.ts';
import { isDoc, type Doc, type Value } from '../bson/value.ts';
import type { FilterContext } from '../query/filter-context.ts';
import { parseSort } from '../query/sort.ts';
import { isOperators } from '../query/value-tests.ts';
import { arrayPathOf, type Collection, type Index, type IndexedPath } from '../storage/catalog.ts';
import type { Connection } from '../storage/connection.ts';
import type { SqlValue } from '../storage/sqlite.ts';

/** Tables that a selection reads: SQL behind FROM, with `c` for the documents, and conditions that go first. */
export interface AccessPath {
  readonly from: string;
  /** The id of a row, in the table that is read first. */
  readonly id: string;
  readonly terms: readonly string[];
  readonly values: readonly SqlValue[];
  /** The collection, with its paths named as they are in these tables. */
  readonly collection: Collection;
}

/** The part of a selection that decides where it reads from. */
interface Wanted {
  readonly filter: Doc;
  readonly sort?: Doc | undefined;
  readonly context: FilterContext;
}

/** The entries of an index at one key for each of its first paths. */
interface EntryRange {
  readonly index: Index;
  readonly array: IndexedPath;
  readonly keys: readonly Buffer[];
  /** Some other elements that the array must have. */
  readonly others: readonly Buffer[];
}

/** Values of which a filter wants any at a path that has an index by itself. */
interface WantedValues {
  readonly path: IndexedPath;
  readonly keys: readonly Buffer[];
}

/** Such values, with the number of rows that have them; an array may have several values. */
interface CountedValues extends WantedValues {
  readonly count: number;
}

/** Entries that are counted to find the rarest of several ranges; at more, two ranges count as equally long. */
const COUNTED = 1000;

/** Maximum number of values of a unique key for which SQLite is led to them, whatever else a filter names. */
const MAX_POINTS = 1000;

/** Rows that are read from their values at one path, whatever the order is: so many are sorted quickly. */
const MAX_SORTED = 2000;

/** Further elements or lists of them that are looked up together, of which SQLite joins 64; what is beyond is tested like any condition. */
const MAX_JOINED = 8;

/**
 * Chooses where to read from. SQLite finds rows by columns itself; it is led where an array is involved: by a unique key,
 * elements are only tested; by an element, the rows come from the entries of an index if they come in order. Rows that are few
 * by the values at one path are read by these, and sorted.
 */
export function accessPathOf(reader: Connection, collection: Collection, wanted: Wanted): AccessPath {
  const plain = { from: `c${collection.id} c`, id: 'c.id', terms: [], values: [], collection };
  if (wanted.context.collator) return plain;
  const points = pointsOf(collection, wanted.filter);
  if (points)
    return { ...plain, collection: withPaths(collection, (path) => (path === points ? path : unsought(path))) };
  if (!collection.paths.some(({ multikey }) => multikey)) return plain;
  const alternatives = alternativesOf(wanted.filter);
  const equalities = equalitiesOf(alternatives);
  if (collection.indexes.some((index) => isPoint(index, equalities)))
    return { ...plain, collection: withPaths(collection, (path) => ({ ...path, isTested: true })) };
  const ranges = collection.indexes
    .flatMap((index) => rangesOf(collection, index, equalities, wanted.sort))
    .filter((range) => !hasScalars(reader, collection, range));
  const range = rarest(reader, ranges);
  const few = fewValues(reader, collection, alternatives);
  const [fewest] = few;
  if (fewest && !(range && boundedCount(reader, range) <= fewest.count)) return rowsOf(collection, few);
  return range ? entriesOf(collection, range) : plain;
}

/**
 * The path of a unique key of which a filter lists several values. SQLite would rather look at everything that has one value
 * of another index, of which it guesses that it is less.
 */
function pointsOf({ indexes }: Collection, filter: Doc): IndexedPath | undefined {
  const unique = indexes.filter(({ unique, membership, paths }) => unique && !membership && paths.length === 1);
  return unique.flatMap(({ paths }) => paths).find((path) => !path.multikey && listsFew(filter, path));
}

/** The path of a unique key of which a filter has one value, and the value. */
export function pointIn(
  { indexes }: Collection,
  filter: Doc,
): { readonly path: IndexedPath; readonly value: Value } | undefined {
  for (const { unique, membership, paths } of indexes) {
    const [path, other] = paths;
    if (!unique || membership || !path || other || path.multikey || path.parts.length > 1) continue;
    const value = filter.get(path.path) ?? null;
    if (isSought(value)) return { path, value };
  }
  return undefined;
}

function listsFew(filter: Doc, { path }: Pick<IndexedPath, 'path'>): boolean {
  return [...filter].some(([name, operand]) => {
    if (name === '$and' && Array.isArray(operand))
      return operand.filter(isDoc).some((part) => listsFew(part, { path }));
    const among = name === path && isOperators(operand) ? operand.get('$in') : undefined;
    return Array.isArray(among) && among.length > 0 && among.length <= MAX_POINTS && among.every(isSought);
  });
}

/** A path that conditions only test: SQLite does not look for rows by an expression. */
function unsought(path: IndexedPath): IndexedPath {
  return { ...path, column: `+${path.column}`, isTested: true };
}
/** Lists of values, of each of which a filter wants to find one at a path. */
type Alternatives = ReadonlyMap<string, readonly (readonly Value[])[]>;

/** The values that a filter wants to find at paths, as far as they are plain to see. */
function alternativesOf(filter: Doc, found = new Map<string, (readonly Value[])[]>()): Alternatives {
  for (const [path, operand] of filter) {
    if (path === '$and' && Array.isArray(operand))
      for (const part of operand.filter(isDoc)) alternativesOf(part, found);
    const lists = path.startsWith('$') ? [] : wantedValues(operand).filter((values) => values.every(isSought));
    if (lists.length > 0) found.set(path, [...(found.get(path) ?? []), ...lists]);
  }
  return found;
}

function wantedValues(operand: Value): readonly (readonly Value[])[] {
  if (!isOperators(operand)) return [[operand]];
  const [equal, among, all] = ['$eq', '$in', '$all'].map((name) => operand.get(name));
  return [
    ...(equal === undefined ? [] : [[equal]]),
    ...(Array.isArray(among) ? [among] : []),
    ...(Array.isArray(all) ? all.map((value) => [value]) : []),
  ];
}

/** The values that a filter wants at paths without alternative. */
function equalitiesOf(alternatives: Alternatives): ReadonlyMap<string, readonly Value[]> {
  const only = [...alternatives].map(([path, lists]): [string, Value[]] => [
    path,
    lists.flatMap((values) => (values.length === 1 ? values : [])),
  ]);
  return new Map(only.filter(([, values]) => values.length > 0));
}

/** Null is equal to what is missing, a pattern to much, and a document or an array is compared as a whole. */
function isSought(value: Value): boolean {
  return value !== null && !isDoc(value) && !Array.isArray(value) && !(value instanceof BSONRegExp);
}

/** Returns true if at most one row has the wanted values. */
function isPoint({ unique, membership, paths }: Index, equalities: ReadonlyMap<string, readonly Value[]>): boolean {
  return unique && !membership && paths.every(({ multikey, path }) => !multikey && equalities.has(path));
}

/** The ranges of an index's entries that a selection could read, in the order that it wants. */
function rangesOf(
  collection: Collection,
  index: Index,
  equalities: ReadonlyMap<string, readonly Value[]>,
  sort: Doc | undefined,
): EntryRange[] {
  const array = index.hasEntries ? arrayPathOf(index) : undefined;
  if (!array) return [];
  const firstOpen = index.paths.findIndex(({ path }) => !equalities.has(path));
  const length = firstOpen < 0 ? index.paths.length : firstOpen;
  const isElsewhere = ({ path, multikey }: IndexedPath) =>
    equalities.has(path) && !multikey && !index.paths.some((own) => own.path === path);
  if (index.paths.indexOf(array) >= length || collection.paths.some(isElsewhere)) return [];
  if (!isOrdered(index, length, sort)) return [];
  const keys = index.paths.slice(0, length).map(({ path }) => keyOf(equalities.get(path)?.[0] ?? null));
  const elements = differentKeys(equalities.get(array.path) ?? []);
  return elements.map((element) => ({
    index,
    array,
    keys: keys.with(index.paths.indexOf(array), element),
    others: elements.filter((other) => other !== element).slice(0, MAX_JOINED),
  }));
}

/** The keys of values, each once. */
function differentKeys(values: readonly Value[]): Buffer[] {
  return [...new Map(values.map(keyOf).map((key) => [key.toString('latin1'), key])).values()];
}

/** Returns true if entries with the same first keys are in the order of a sort, or all in the opposite order. */
function isOrdered({ pattern }: Index, length: number, sort: Doc | undefined): boolean {
  const rest = pattern.slice(length);
  const wanted = parseSort(sort ?? new Map());
  const turn = wanted[0]?.direction === rest[0]?.direction ? 1 : -1;
  return wanted.every(({ path, direction }, place) => {
    const own = rest[place];
    return own?.path === path && own.direction * turn === direction;
  });
}

/** Returns true if a document has a value of the range outside an array, without an entry. */
function hasScalars(reader: Connection, collection: Collection, { index, keys }: EntryRange): boolean {
  const conditions = keys.map((_, place) => `s${index.paths[place]?.slot} = ?`);
  return reader.get(`SELECT 1 FROM c${collection.id} WHERE ${conditions.join(' AND ')} LIMIT 1`, ...keys) !== undefined;
}

function rarest(reader: Connection, ranges: readonly EntryRange[]): EntryRange | undefined {
  if (ranges.length < 2) return ranges[0];
  const counted = ranges.map((range) => ({ range, count: boundedCount(reader, range) }));
  return counted.reduce((best, one) => (one.count < best.count ? one : best)).range;
}

function boundedCount(reader: Connection, { index, keys }: EntryRange): number {
  const conditions = keys.map((_, place) => `k${place} = ?`);
  const found = `SELECT 1 FROM e${index.id} WHERE ${conditions.join(' AND ')} LIMIT ${COUNTED}`;
  return Number(reader.get(`SELECT count(*) AS n FROM (${found})`, ...keys)?.n);
}

/** The values at a path that fewest rows have, and further values that rows must have there; nothing if the rows are many. */
function fewValues(reader: Connection, collection: Collection, alternatives: Alternatives): readonly CountedValues[] {
  const alone = collection.indexes.flatMap(({ paths: [path, other], membership, unique }) =>
    path && !other && !membership && (path.multikey || unique) ? [path] : [],
  );
  const few = alone
    .flatMap((path) => (alternatives.get(path.path) ?? []).map((values) => ({ path, keys: differentKeys(values) })))
    .filter(({ keys }) => keys.length <= MAX_SORTED)
    .map((values) => ({ ...values, count: countRows(reader, collection, values) }))
    .filter(({ count }) => count <= MAX_SORTED)
    .sort((one, other) => one.count - other.count);
  return few.filter(({ path }) => path === few[0]?.path).slice(0, MAX_JOINED);
}

/** Counts the rows with some values, up to one too many; infinite if one has a value outside an array. */
function countRows(reader: Connection, collection: Collection, { path, keys }: WantedValues): number {
  if (!path.multikey) return keys.length;
  const among = amongSql(keys);
  const scalar = `SELECT 1 FROM c${collection.id} WHERE s${path.slot} ${among} LIMIT 1`;
  if (reader.get(scalar, ...keys) !== undefined) return Number.POSITIVE_INFINITY;
  const found = `SELECT 1 FROM a${path.id} WHERE k ${among} LIMIT ${MAX_SORTED + 1}`;
  return Number(reader.get(`SELECT count(*) AS n FROM (${found})`, ...keys)?.n);
}

/** Reads the rows with some values first, and all else of them. */
function rowsOf(collection: Collection, few: readonly WantedValues[]): AccessPath {
  const having = few.map(({ path, keys }) => {
    const [table, column] = path.multikey ? [`a${path.id}`, 'k'] : [`c${collection.id}`, `s${path.slot}`];
    return `SELECT DISTINCT id FROM ${table} WHERE ${column} ${amongSql(keys)}`;
  });
  // Of a CROSS JOIN, SQLite reads the first table first.
  const from = `(${having.join(' INTERSECT ')}) e CROSS JOIN c${collection.id} c ON c.id = e.id`;
  return { from, id: 'e.id', terms: [], values: few.flatMap(({ keys }) => keys), collection };
}

function amongSql(keys: readonly Buffer[]): string {
  return `IN (${keys.map(() => '?').join(',')})`;
}

function entriesOf(collection: Collection, { index, array, keys, others }: EntryRange): AccessPath {
  const table = `e${index.id}`;
  // Other elements are looked up before the document is read, let alone decoded.
  const joins = others.map((_, n) => `CROSS JOIN a${array.id} o${n} ON o${n}.k = ? AND o${n}.id = ${table}.id`);
  const named = (path: IndexedPath): IndexedPath => {
    const place = index.paths.findIndex(({ id }) => id === path.id);
    return place < 0 || path.id === array.id ? { ...path, isTested: true } : { ...path, column: `${table}.k${place}` };
  };
  return {
    // Of a CROSS JOIN, SQLite reads the first table first.
    from: [`${table} ${table}`, ...joins, `CROSS JOIN c${collection.id} c ON c.id = ${table}.id`].join(' '),
    id: `${table}.id`,
    terms: keys.map((_, place) => `${table}.k${place} = ?`),
    values: [...others, ...keys],
    collection: withPaths(collection, named),
  };
}

function withPaths(collection: Collection, change: (path: IndexedPath) => IndexedPath): Collection {
  return { ...collection, paths: collection.paths.map(change) };
}
