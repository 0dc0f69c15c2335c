import { BSONRegExp, MaxKey, MinKey } from 'bson';
import { equalValues, keyOf } from '../bson/key.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { TYPES, isDoc, typeOf, type Doc, type OptionalValue, type Value } from '../bson/value.ts';
import { pathNamed, type Collection, type Index, type IndexedPath } from './catalog.ts';
import type { SqlValue } from './sqlite.ts';
import type { Variables } from '../query/expression.ts';
import { compileFilter } from '../query/match.ts';
import { isIndex } from '../query/path.ts';
import { isOperators } from '../query/value-tests.ts';

/** A condition in SQL over the key columns. One that is not exact lets through more than the filter does. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly exact: boolean;
}

const ANYTHING: Condition = { sql: '1', values: [], exact: false };
const TRUE: Condition = { sql: '1', values: [], exact: true };
const MAX_VALUES = 5000;

/** Maximum number of joined conditions in SQL: SQLite examines every pair of them. */
const MAX_TERMS = 100;

/** Maximum number of values. SQLite takes 32,766 in one statement; the window of a selection has two of them. */
const MAX_SQL_VALUES = 32_000;

/**
 * Writes the part of a filter that the indexed paths of a collection can answer as SQL.
 *
 * @param taken number of other values in the statement
 */
export function filterToSql(filter: Doc, collection: Collection, variables: Variables, taken = 0): Condition {
  const memberships = impliedMemberships(filter, collection);
  const condition = all([
    ...conditionsOf(filter, collection, variables),
    ...memberships.map((index) => ({ sql: `c.s${index.membership?.slot} = 1`, values: [], exact: true })),
  ]);
  return condition.values.length + taken > MAX_SQL_VALUES ? ANYTHING : condition;
}

/** The condition on one path of an equality, for the look-up of duplicates. */
export function equalityToSql(path: IndexedPath, key: Buffer): Condition {
  return compare(path, '= ?', [key]);
}

function conditionsOf(filter: Doc, collection: Collection, variables: Variables): Condition[] {
  const within = (branches: Doc[]) => branches.map((branch) => all(conditionsOf(branch, collection, variables)));
  return [...filter].map(([name, operand]) => {
    if (name === '$and' && Array.isArray(operand)) return all(within(operand.filter(isDoc)));
    if (name === '$or' && Array.isArray(operand)) return any(within(operand.filter(isDoc)));
    if (name === '$expr') return { ...all(within(impliedBy(operand, variables))), exact: false };
    if (name === '$comment') return TRUE;
    const path = name.startsWith('$') ? undefined : pathNamed(collection, name);
    return path && !path.parts.some(isIndex) ? fieldCondition(path, operand) : ANYTHING;
  });
}

/** The filters that must hold for an expression to be true: those of its equalities of a path and a known value. */
function impliedBy(expression: Value, variables: Variables): Doc[] {
  if (!isDoc(expression)) return [];
  const [conditions, sides] = [expression.get('$and'), expression.get('$eq')];
  if (Array.isArray(conditions)) return conditions.flatMap((condition) => impliedBy(condition, variables));
  if (!Array.isArray(sides) || sides.length !== 2) return [];
  const path = sides.find((side) => typeof side === 'string' && /^\$[^$]/.test(side));
  const value = sides.map((side) => knownValue(side, variables)).find((known) => known !== undefined);
  return path === undefined || value === undefined
    ? []
    : [new Map([[String(path).slice(1), new Map([['$eq', value]])]])];
}

/** The value of an expression that is the same for every document; undefined if that is not plain to see. */
function knownValue(expression: Value, variables: Variables): OptionalValue {
  if (isDoc(expression) || Array.isArray(expression)) return undefined;
  if (typeof expression !== 'string' || !expression.startsWith('$')) return expression;
  return expression.startsWith('$$') ? variables.get(expression.slice(2)) : undefined;
}

function fieldCondition(path: IndexedPath, operand: Value): Condition {
  if (!isOperators(operand)) return operatorCondition(path, '$eq', operand, new Map());
  return all([...operand].map(([name, value]) => operatorCondition(path, name, value, operand)));
}

function operatorCondition(path: IndexedPath, name: string, operand: Value, siblings: Doc): Condition {
  if (Object.hasOwn(SIGNS, name)) return rangeCondition(path, name, operand, siblings);
  if (name === '$all' && Array.isArray(operand) && operand.length > 0 && !operand.some(isOperators))
    return all(operand.map((value) => operatorCondition(path, '$eq', value, siblings)));
  const list = name === '$in' ? operand : name === '$eq' || name === '$ne' ? [operand] : undefined;
  const canCompare = Array.isArray(list) && list.length <= MAX_VALUES && list.every((value) => canSeek(path, value));
  if (!canCompare || (name === '$ne' && path.multikey)) return ANYTHING;
  const comparison = { $eq: '= ?', $ne: '<> ?' }[name] ?? `IN (${list.map(() => '?').join(',')})`;
  return compare(path, comparison, list.map(keyOf));
}

/** Arrays are equal as wholes and null is equal to missing: the columns know neither once there are arrays. */
function canSeek(path: IndexedPath, operand: Value): boolean {
  if (operand instanceof BSONRegExp || Array.isArray(operand)) return false;
  return operand !== null || !path.multikey;
}

const SIGNS: Readonly<Record<string, string>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };

/**
 * Keeps a range within the type of its bound by a second bound, unless the filter gives one: SQLite seeks by one bound
 * on each side, and must get the closer.
 */
function rangeCondition(path: IndexedPath, name: string, operand: Value, siblings: Doc): Condition {
  if (!isBound(operand)) return ANYTHING;
  const rank = TYPES[typeOf(operand)].rank;
  const key = keyOf(operand);
  const sign = SIGNS[name] ?? '=';
  const others = name.startsWith('$g') ? ['$lt', '$lte'] : ['$gt', '$gte'];
  const isClosed = others.map((other) => siblings.get(other)).some((other) => hasRank(other, rank));
  if (isClosed && !path.multikey) return compare(path, `${sign} ?`, [key]);
  if (name.startsWith('$g')) return compare(path, `${sign} ? AND # < ?`, [key, Buffer.from([rank + 1])]);
  const lowest = isNumeric(operand) ? keyOf(Number.NEGATIVE_INFINITY) : Buffer.from([rank]);
  return compare(path, `${sign} ? AND # >= ?`, [key, lowest]);
}

/** Null, arrays, patterns, NaN and the two ends of everything have rules of their own in a range. */
function isBound(operand: Value): boolean {
  if (operand === null || Array.isArray(operand) || (isNumeric(operand) && Number.isNaN(toNumber(operand))))
    return false;
  return !(operand instanceof BSONRegExp || operand instanceof MinKey || operand instanceof MaxKey);
}

function hasRank(operand: OptionalValue, rank: number): boolean {
  return operand !== undefined && isBound(operand) && TYPES[typeOf(operand)].rank === rank;
}

/** A comparison on a path; `#` is the column again. Once there are arrays their keys are in the side table. */
function compare(path: IndexedPath, comparison: string, values: SqlValue[]): Condition {
  const on = (column: string) => `${column} ${comparison.replaceAll('#', column)}`;
  if (!path.multikey) return { sql: on(path.column), values, exact: true };
  const hasElement = path.isTested
    ? `EXISTS (SELECT 1 FROM a${path.id} WHERE id = c.id AND ${on('k')})`
    : `c.id IN (SELECT id FROM a${path.id} WHERE ${on('k')})`;
  return { sql: `(${on(path.column)} OR ${hasElement})`, values: [...values, ...values], exact: true };
}

function all(parts: readonly Condition[]): Condition {
  const known = parts.filter(({ sql }) => sql !== '1');
  const useful = known.slice(0, MAX_TERMS);
  return {
    sql: useful.length > 0 ? joined(useful, 'AND') : '1',
    values: useful.flatMap(({ values }) => values),
    exact: useful.length === known.length && parts.every(({ exact }) => exact),
  };
}

function any(parts: readonly Condition[]): Condition {
  if (parts.some(({ sql }) => sql === '1')) return { ...ANYTHING, exact: parts.every(({ exact }) => exact) };
  return {
    sql: `(${joined(parts, 'OR')})`,
    values: parts.flatMap(({ values }) => values),
    exact: parts.every(({ exact }) => exact),
  };
}

/** Joins conditions in pairs of pairs: SQLite rejects an expression nested 1,000 deep, as a long chain is. */
function joined(parts: readonly Condition[], operator: 'AND' | 'OR'): string {
  if (parts.length === 1) return parts[0]?.sql ?? '1';
  const middle = Math.ceil(parts.length / 2);
  return `(${joined(parts.slice(0, middle), operator)}) ${operator} (${joined(parts.slice(middle), operator)})`;
}

/** The sparse and partial indexes that contain every document that satisfies a filter. */
function impliedMemberships(filter: Doc, { indexes }: Collection): Index[] {
  const selective = indexes.filter(({ membership }) => membership);
  const paths = new Set(selective.flatMap((index) => decidingPaths(index)));
  const facts = paths.size > 0 ? factsOf(filter, paths) : [];
  return facts.length > 0 ? selective.filter((index) => impliesMembership(facts, index)) : [];
}

/** Paths by whose values it is decided what is in a sparse or partial index. */
function decidingPaths({ sparse, pattern, filter }: Index): string[] {
  return sparse ? pattern.map(({ path }) => path) : [...(filter?.keys() ?? [])];
}

function impliesMembership(facts: readonly Fact[], index: Index): boolean {
  if (index.sparse) return index.pattern.some(({ path }) => facts.some((fact) => fact.path === path && fact.present));
  return [...(index.filter ?? [])].every(([path, wanted]) =>
    facts.some((fact) => fact.path === path && impliesField(fact, wanted)),
  );
}

interface Fact {
  readonly path: string;
  readonly condition: Value;
  /** True if a document without the field does not satisfy the condition. */
  readonly present: boolean;
}

/** Conditions of a filter on some paths. */
function factsOf(filter: Doc, paths: ReadonlySet<string>): Fact[] {
  return [...filter].flatMap(([path, condition]): Fact[] => {
    if (path === '$and' && Array.isArray(condition))
      return condition.filter(isDoc).flatMap((part) => factsOf(part, paths));
    if (path.startsWith('$') || !paths.has(path)) return [];
    const matches = compileFilter(new Map([[path, condition]]));
    return [{ path, condition, present: !withoutField(path).some((doc) => matches(doc)) }];
  });
}

/** Documents without a field: one that has nothing, and those where an empty array stands above the field. */
function withoutField(path: string): Doc[] {
  const parents = path.split('.').slice(0, -1);
  const arrays = parents.map((_, at) =>
    parents.slice(0, at + 1).reduceRight<Value>((value, name) => new Map([[name, value]]), []),
  );
  return [new Map(), ...arrays.filter(isDoc)];
}

function impliesField(fact: Fact, wanted: Value): boolean {
  if (equalValues(fact.condition, wanted)) return true;
  if (isDoc(wanted) && wanted.size === 1 && wanted.get('$exists') === true) return fact.present;
  const value = isOperators(fact.condition) ? fact.condition.get('$eq') : fact.condition;
  if (value === undefined || value === null || value instanceof BSONRegExp || fact.path.includes('.')) return false;
  return compileFilter(new Map([[fact.path, wanted]]))(new Map([[fact.path, value]]));
}
