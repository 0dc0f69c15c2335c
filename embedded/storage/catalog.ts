import { decode } from '../bson/codec.ts';
import { equalValues } from '../bson/key.ts';
import { isDoc, type Doc, type Value } from '../bson/value.ts';
import { compileFilter, type Matcher } from '../query/match.ts';
import { parsePattern, type KeyPattern } from './index-spec.ts';
import { blob, type Row, type Sqlite } from './sqlite.ts';

/** A path that some index of a collection uses, and the column that holds its keys. */
export interface IndexedPath {
  readonly id: number;
  readonly path: string;
  readonly parts: readonly string[];
  readonly slot: number;
  /** True if any document has an array on the path: its keys are then in the side table. */
  readonly multikey: boolean;
  /** The column as a query names it, such as `c.s3`. */
  readonly column: string;
  /** True if a query only asks rows that it has found otherwise for elements, and shall not look for rows by them. */
  readonly isTested: boolean;
}

/** An index: MongoDB's specification, and its columns. */
export interface Index {
  readonly id: number;
  readonly name: string;
  readonly spec: Doc;
  readonly pattern: KeyPattern;
  readonly paths: readonly IndexedPath[];
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly filter: Doc | undefined;
  /** For a sparse or partial index: the column that marks its documents, and the test for them. */
  readonly membership: { readonly slot: number; readonly matches: Matcher } | undefined;
  readonly expireAfterSeconds: number | undefined;
  /** True if the file has a table of its entries; see entries.ts. */
  readonly hasEntries: boolean;
  /** True if it only counts documents by their keys; see counts.ts. */
  readonly isCounting: boolean;
  /** The tables of numbers that the file has for it: if it is up to date, the one of {@link countsTableOf}. */
  readonly countTables: readonly string[];
}

/** The beginning of the names of counting indexes: MongoDB has none, and takes them for ordinary ones. */
const COUNTING = 'counts';

/** Limits of a capped collection, of which the oldest documents make room for the newest. */
export interface Limits {
  /** Bytes of all documents. */
  readonly size: number;
  /** Number of documents, if it is limited. */
  readonly max: number | undefined;
}

/** A collection: its table is `c<id>`. */
export interface Collection {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  readonly paths: readonly IndexedPath[];
  readonly indexes: readonly Index[];
  /** The limits of a capped collection; undefined for any other. */
  readonly capped: Limits | undefined;
}

/** Everything the file holds, as of one snapshot. */
export interface Catalog {
  readonly version: number;
  readonly collections: ReadonlyMap<string, Collection>;
}

/** The full name of a collection, as MongoDB writes it. */
export function namespaceOf(collection: { readonly db: string; readonly name: string }): string {
  return `${collection.db}.${collection.name}`;
}

/** The paths of a collection, by name. */
export function pathNamed(collection: Collection, path: string): IndexedPath | undefined {
  return collection.paths.find((indexed) => indexed.path === path);
}

/** The one path of an index that has arrays; undefined if none has, or several have. */
export function arrayPathOf(index: Index): IndexedPath | undefined {
  const [path, ...others] = index.paths.filter(({ multikey }) => multikey);
  return others.length === 0 ? path : undefined;
}

/** The table of a counting index; undefined for any other, and if several paths have arrays. */
export function countsTableOf({ id, isCounting, paths }: Index): string | undefined {
  const [array, ...others] = paths.filter(({ multikey }) => multikey);
  return isCounting && others.length === 0 ? countsTable(id, array) : undefined;
}

/** By its name, the table depends on which path has arrays, whoever finds out that it has. */
function countsTable(index: number, array?: IndexedPath): string {
  return array ? `n${index}_${array.id}` : `n${index}`;
}

/** The index of a collection that a client names, or describes by its keys. */
export function indexNamed(collection: Collection, wanted: Value): Index | undefined {
  return collection.indexes.find(({ name, spec }) =>
    isDoc(wanted) ? equalValues(spec.get('key') ?? null, wanted) : name === wanted,
  );
}

/** Reads the catalog within the current transaction. */
export function readCatalog(sqlite: Sqlite, version: number): Catalog {
  return { version, collections: byNamespace(readCollections(sqlite)) };
}

/** Reads some collections of a catalog again, within the transaction that has changed them and nothing else. */
export function readAgain(sqlite: Sqlite, before: Catalog, changed: ReadonlySet<number>, version: number): Catalog {
  const others = [...before.collections.values()].filter(({ id }) => !changed.has(id));
  const again = [...changed].flatMap((id) => readCollections(sqlite, id));
  return { version, collections: byNamespace([...others, ...again].sort((one, other) => one.id - other.id)) };
}

function byNamespace(collections: readonly Collection[]): ReadonlyMap<string, Collection> {
  return new Map(collections.map((collection) => [namespaceOf(collection), collection]));
}

/** Reads all collections, or the one with an id. */
function readCollections(sqlite: Sqlite, only?: number): Collection[] {
  const values = only === undefined ? [] : [only];
  const rows = (table: string, column: string) => {
    const where = only === undefined ? '' : ` WHERE ${column} = ?`;
    return sqlite.prepare(`SELECT * FROM ${table}${where} ORDER BY rowid`).all(...values) as Row[];
  };
  const paths = rows('paths', 'collection');
  const indexes = rows('indexes', 'collection');
  const optional =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND (name GLOB '[en][0-9]*' OR name = 'capped')";
  const tables = new Set((sqlite.prepare(optional).all() as Row[]).map(({ name }) => String(name)));
  const capped = tables.has('capped') ? rows('capped', 'collection') : [];
  return rows('collections', 'id').map((row) => collectionOf(row, paths, indexes, capped, tables));
}

function collectionOf(row: Row, paths: Row[], indexes: Row[], capped: Row[], tables: ReadonlySet<string>): Collection {
  const own = (other: Row) => other.collection === row.id;
  const indexed = paths.filter(own).map(pathOf);
  const limits = capped.find(own);
  return {
    id: Number(row.id),
    db: String(row.db),
    name: String(row.name),
    paths: indexed,
    indexes: indexes.filter(own).map((index) => indexOf(index, indexed, tables)),
    capped: limits && { size: Number(limits.size), max: limits.max === null ? undefined : Number(limits.max) },
  };
}

function pathOf(row: Row): IndexedPath {
  const path = String(row.path);
  const slot = Number(row.slot);
  const multikey = row.multikey === 1;
  return { id: Number(row.id), path, parts: path.split('.'), slot, multikey, column: `c.s${slot}`, isTested: false };
}

function indexOf(row: Row, paths: IndexedPath[], tables: ReadonlySet<string>): Index {
  const spec = decode(blob(row.spec));
  const pattern = parsePattern(spec.get('key') ?? null);
  const used = pattern.flatMap(({ path }) => paths.find((indexed) => indexed.path === path) ?? []);
  const partial = spec.get('partialFilterExpression');
  const filter = isDoc(partial) ? partial : undefined;
  const matches = filter ? compileFilter(filter) : hasAnyOf(used);
  const expire = spec.get('expireAfterSeconds');
  const id = Number(row.id);
  const isCounting = String(row.name).startsWith(COUNTING) && row.is_unique !== 1 && row.slot === null;
  return {
    id,
    name: String(row.name),
    spec,
    pattern,
    paths: used,
    unique: row.is_unique === 1,
    sparse: spec.get('sparse') === true,
    filter,
    membership: row.slot === null ? undefined : { slot: Number(row.slot), matches },
    expireAfterSeconds: expire === undefined ? undefined : Number(expire),
    hasEntries: tables.has(`e${id}`),
    isCounting,
    countTables: [undefined, ...used].map((path) => countsTable(id, path)).filter((table) => tables.has(table)),
  };
}

function hasAnyOf(paths: readonly IndexedPath[]): Matcher {
  const tests = paths.map(({ path }) => compileFilter(new Map([[path, new Map([['$exists', true]])]])));
  return (doc) => tests.some((test) => test(doc));
}
