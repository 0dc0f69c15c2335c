import { check, checkForm, unsupported } from '../bson/mongo-error.ts';
import { equalValues } from '../bson/key.ts';
import { isDoc, type Doc, type Value } from '../bson/value.ts';
import type { Variables } from '../query/expression.ts';
import { compileFilter } from '../query/match.ts';
import { isIndex, valueAt } from '../query/path.ts';
import { compilePipeline, stageOf } from '../aggregate/pipeline.ts';
import { UPDATE_OPERATORS } from './operators.ts';
import { changePath, type Change, type Positions } from './change-path.ts';

/** Context of an update beside the document. */
export interface UpdateContext {
  /** The place of the array element the filter matched, for `$`. */
  readonly index: number | undefined;
  /** True if an upsert inserts the document. */
  readonly isInsert: boolean;
}

/** Returns a document as an update changes it; the original stays as it is. */
export type Updater = (doc: Doc, context: UpdateContext) => Doc;

/** A test of an array element, by the name an array filter has. */
export type ArrayFilters = ReadonlyMap<string, (element: Value) => boolean>;

interface Row {
  readonly path: readonly string[];
  readonly change: Change;
  readonly insertOnly: boolean;
}

/** Prepares an update: operators, a replacement, or a pipeline. */
export function compileUpdate(update: Value, arrayFilters: Value[] = [], variables: Variables = new Map()): Updater {
  if (Array.isArray(update)) return withSameId(compileUpdatePipeline(update, variables));
  checkForm(isDoc(update), 'Update argument must be either an object or an array');
  if (!isOperatorUpdate(update)) return replaceWith(update);
  const filters = parseArrayFilters(arrayFilters);
  const rows = rowsOf(update);
  const renames = renamesOf(update);
  checkConflicts([...rows.map(({ path }) => path), ...renames.flat()].sort(comparePaths));
  checkUsed(filters, rows);
  const changing = new Set([...rows.map(({ path }) => path), ...renames.flat()].map(([first = '']) => first));
  return withSameId((doc, { index, isInsert }) => {
    // The other fields keep their values, which shows `updateRow` that their keys are still correct.
    const copy = new Map([...doc].map(([name, value]) => [name, changing.has(name) ? structuredCopy(value) : value]));
    for (const { path, change, insertOnly } of rows)
      if (!insertOnly || isInsert) changePath(copy, path, change, { index, filters });
    for (const [from, to] of renames) rename(copy, from, to);
    return copy;
  });
}

/** Returns true if an update uses operators, rather than being a replacement. */
export function isOperatorUpdate(update: Doc): boolean {
  const [first] = update.keys();
  return first?.startsWith('$') === true;
}

function replaceWith(replacement: Doc): Updater {
  for (const name of replacement.keys())
    check(
      !name.startsWith('$'),
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document`,
    );
  return withSameId((doc) => {
    const id = replacement.has('_id') ? replacement.get('_id') : doc.get('_id');
    return new Map([...(id === undefined ? [] : [['_id', id] as const]), ...replacement]);
  });
}

function withSameId(updater: Updater): Updater {
  return (doc, context) => {
    const after = updater(doc, context);
    const before = doc.get('_id');
    const id = after.get('_id');
    const message = "Performing an update on the path '_id' would modify the immutable field '_id'";
    check(before === undefined || (id !== undefined && equalValues(before, id)), 'ImmutableField', message);
    return after;
  };
}

/** The changes of an update in the order MongoDB applies them: places by number, names by letter. */
function rowsOf(update: Doc): Row[] {
  const rows: Row[] = [];
  for (const [name, fields] of update) {
    if (name === '$rename') continue;
    if (name === '$bit') throw unsupported('Update operator $bit');
    const operator = UPDATE_OPERATORS.get(name);
    const message = `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`;
    checkForm(operator, message);
    for (const [path, operand] of fieldsOf(name, fields))
      rows.push({ path: checkedPath(path), change: operator(operand), insertOnly: name === '$setOnInsert' });
  }
  return rows.sort((a, b) => comparePaths(a.path, b.path));
}

function renamesOf(update: Doc): Array<readonly [string[], string[]]> {
  const fields = update.get('$rename');
  if (fields === undefined) return [];
  return [...fieldsOf('$rename', fields)].map(([from, to]) => {
    check(typeof to === 'string', 'BadValue', `The 'to' field for $rename must be a string: ${from}`);
    check(!`${from}.${to}`.includes('$'), 'BadValue', `The path of $rename may not be dynamic: ${from}`);
    return [checkedPath(from), checkedPath(to)];
  });
}

function fieldsOf(name: string, fields: Value): Doc {
  checkForm(isDoc(fields), `Modifiers operate on fields but we found another type for ${name}`);
  return fields;
}

function rename(doc: Doc, from: string[], to: string[]): void {
  for (const path of [from, to]) {
    const isInArray = path.some((_part, at) => at > 0 && Array.isArray(valueAt(doc, path.slice(0, at))));
    check(!isInArray, 'BadValue', `$rename does not go into arrays: '${path.join('.')}'`);
  }
  const value = valueAt(doc, from);
  const nowhere: Positions = { index: undefined, filters: new Map() };
  if (value === undefined) return;
  changePath(doc, from, { creates: false, apply: () => undefined }, nowhere);
  changePath(doc, to, { creates: true, apply: () => undefined }, nowhere);
  changePath(doc, to, { creates: true, apply: () => value }, nowhere);
}

function checkedPath(path: string): string[] {
  const parts = path.split('.');
  const [first = ''] = parts;
  const hasNames = !parts.includes('');
  check(hasNames, 'BadValue', `The update path '${path}' contains an empty field name, which is not allowed.`);
  const message = `The dollar ($) prefixed field '${first}' in '${path}' is not valid for storage.`;
  check(!first.startsWith('$'), 'DollarPrefixedFieldName', message);
  return parts;
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (const [place, part] of a.entries()) {
    const other = b[place];
    if (other === undefined) return 1;
    if (part === other) continue;
    if (isIndex(part) && isIndex(other)) return Number(part) - Number(other);
    return part < other ? -1 : 1;
  }
  return a.length - b.length;
}

function checkConflicts(paths: ReadonlyArray<readonly string[]>): void {
  for (const [place, path] of paths.entries()) {
    const next = paths[place + 1];
    const message = `Updating the path '${next?.join('.')}' would create a conflict at '${path.join('.')}'`;
    check(!next || path.some((part, at) => part !== next[at]), 'ConflictingUpdateOperators', message);
  }
}

function parseArrayFilters(sources: Value[]): ArrayFilters {
  const filters = new Map<string, (element: Value) => boolean>();
  for (const source of sources) {
    check(isDoc(source), 'TypeMismatch', 'Array filters must be objects');
    const [name, ...others] = new Set(namesIn(source));
    const isSingle = name !== undefined && others.length === 0;
    checkForm(isSingle, 'Error parsing array filter: expected a single top-level field name');
    checkForm(!filters.has(name), `Found multiple array filters with the same top-level field name ${name}`);
    const matcher = compileFilter(source);
    filters.set(name, (element) => matcher(new Map([[name, element]])));
  }
  return filters;
}

function namesIn(filter: Doc): string[] {
  return [...filter].flatMap(([name, value]) =>
    name.startsWith('$') && Array.isArray(value) ? value.filter(isDoc).flatMap(namesIn) : [name.split('.')[0] ?? ''],
  );
}

function checkUsed(filters: ArrayFilters, rows: Row[]): void {
  const used = new Set(rows.flatMap(({ path }) => path.flatMap((part) => /^\$\[(.+)\]$/.exec(part)?.[1] ?? [])));
  for (const name of used)
    check(filters.has(name), 'BadValue', `No array filter found for identifier '${name}' in path`);
  for (const name of filters.keys())
    checkForm(used.has(name), `The array filter for identifier '${name}' was not used in the update`);
}

const PIPELINE_STAGES = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

function compileUpdatePipeline(stages: Value[], variables: Variables): (doc: Doc) => Doc {
  for (const [name] of stages.map(stageOf))
    check(PIPELINE_STAGES.has(name), 'InvalidOptions', `${name} is not allowed to be used within an update`);
  const stream = compilePipeline(stages, { variables, search: () => () => [] });
  return (doc) => {
    const [after = doc] = stream([doc]);
    const id = doc.get('_id');
    return after.has('_id') || id === undefined ? after : new Map([['_id', id], ...after]);
  };
}

/** A deep copy of documents and arrays; every other value is never changed in place. */
function structuredCopy(value: Value): Value {
  if (isDoc(value)) return new Map([...value].map(([name, field]) => [name, structuredCopy(field)]));
  return Array.isArray(value) ? value.map(structuredCopy) : value;
}
