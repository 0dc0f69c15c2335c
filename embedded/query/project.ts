import { MongoError, unsupported } from '../bson/mongo-error.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, OptionalValue, Value } from '../bson/value.ts';
import { compileExpression } from './expression.ts';
import type { Expression, Variables } from './expression.ts';
import { compileElement } from './match.ts';
import type { Hit, Matcher } from './match.ts';
import { slice } from './operators/lists.ts';
import { isTrue } from './operators/truth.ts';

/** Gives the part of a document that a projection asks for. */
export type Projector = (doc: Doc) => Doc;

/** What a projection does at one name: keep or drop it, go deeper, compute it, or cut an array. */
type Step =
  | 'keep'
  | 'drop'
  | Plan
  | { readonly compute: Expression }
  | { readonly cut: (value: Value, doc: Doc) => OptionalValue };
type Plan = Map<string, Step>;

/** What a projection can refer to: variables, and for `field.$` the filter that chose the document. */
export interface ProjectionOptions {
  readonly variables?: Variables | undefined;
  readonly matcher?: Matcher | undefined;
  /** Whether find's own operators ($slice, $elemMatch, positional) are meant, not the aggregation stage. */
  readonly isFind?: boolean;
}

/** Prepares a projection of find or of `$project`. */
export function compileProjection(projection: Doc, options: ProjectionOptions = {}): Projector {
  const plan: Plan = new Map();
  const modes = new Set<'include' | 'exclude'>();
  for (const [path, value] of projection) addPath(plan, modes, path, value, options);
  const include =
    modes.has('include') ||
    (modes.size === 0 && [...plan.values()].some((step) => step === 'keep' || isComputed(step)));
  if (modes.size === 2)
    throw new MongoError(
      'Location31254',
      'Cannot do exclusion on a field in inclusion projection, or the other way round',
    );
  if (include && !plan.has('_id')) plan.set('_id', 'keep');
  const variables = options.variables ?? new Map();
  return (doc) => applyPlan(doc, plan, include, doc, variables);
}

function isComputed(step: Step): boolean {
  if (step instanceof Map) return [...step.values()].some(isComputed);
  return typeof step === 'object' && 'compute' in step;
}

function addPath(
  plan: Plan,
  modes: Set<'include' | 'exclude'>,
  path: string,
  value: Value,
  options: ProjectionOptions,
): void {
  if (path === '' || path.split('.').includes(''))
    throw new MongoError('Location40353', `Projection path '${path}' is not valid`);
  if (path.startsWith('$'))
    throw new MongoError('Location16410', `FieldPath field names may not start with '$'. '${path}'`);
  if (options.isFind && path.endsWith('.$')) {
    modes.add('include');
    insert(plan, path.slice(0, -2).split('.'), { cut: positional(options.matcher) });
    return;
  }
  const step = stepOf(value, modes, path, options);
  if (step) insert(plan, path.split('.'), step);
  else if (isDoc(value)) for (const [name, inner] of value) addPath(plan, modes, `${path}.${name}`, inner, options);
}

function stepOf(
  value: Value,
  modes: Set<'include' | 'exclude'>,
  path: string,
  options: ProjectionOptions,
): Step | undefined {
  if (typeof value === 'boolean' || isNumeric(value)) {
    const keep = isTrue(value);
    if (path !== '_id') modes.add(keep ? 'include' : 'exclude');
    return keep ? 'keep' : 'drop';
  }
  if (isDoc(value)) {
    const [name] = value.keys();
    if (name === undefined)
      throw new MongoError(
        'BadValue',
        `An empty sub-projection is not a valid value. Found empty object at path '${path}'`,
      );
    if (!name.startsWith('$')) return undefined;
    const operand = value.get(name) ?? null;
    if (options.isFind && name === '$elemMatch') {
      modes.add('include');
      return { cut: firstMatching(operand) };
    }
    if (
      options.isFind &&
      name === '$slice' &&
      !(Array.isArray(operand) && operand.length > 1 && !isNumeric(operand[0]))
    )
      return { cut: slicer(operand) };
    if (name === '$meta') throw unsupported('Projection operator $meta');
  }
  return { compute: compileExpression(value) };
}

function insert(plan: Plan, [name = '', ...rest]: string[], step: Step): void {
  const there = plan.get(name);
  if (rest.length === 0) {
    if (there !== undefined) throw new MongoError('Location31249', `Path collision at ${name}`);
    plan.set(name, step);
    return;
  }
  if (there !== undefined && !(there instanceof Map))
    throw new MongoError('Location31249', `Path collision at ${name} remaining portion ${rest.join('.')}`);
  const inner: Plan = there ?? new Map();
  plan.set(name, inner);
  insert(inner, rest, step);
}

function applyPlan(doc: Doc, plan: Plan, include: boolean, root: Doc, variables: Variables): Doc {
  const result: Doc = new Map();
  for (const [name, value] of doc) {
    const kept = applyStep(value, plan.get(name), include, root, variables);
    if (kept !== undefined) result.set(name, kept);
  }
  for (const [name, step] of plan) {
    if (typeof step === 'object' && 'compute' in step) set(result, name, step.compute({ root, variables }));
    else if (step instanceof Map && !doc.has(name) && isComputed(step))
      set(result, name, applyPlan(new Map(), step, include, root, variables));
  }
  return result;
}

function applyStep(
  value: Value,
  step: Step | undefined,
  include: boolean,
  root: Doc,
  variables: Variables,
): OptionalValue {
  if (step === undefined) return include ? undefined : value;
  if (step === 'keep') return value;
  if (step === 'drop') return undefined;
  if (!(step instanceof Map)) return 'cut' in step ? step.cut(value, root) : undefined;
  if (isDoc(value)) return applyPlan(value, step, include, root, variables);
  if (Array.isArray(value))
    return value
      .map((element) => applyStep(element, step, include, root, variables))
      .filter((kept) => kept !== undefined);
  return isComputed(step) ? applyPlan(new Map(), step, include, root, variables) : include ? undefined : value;
}

function set(doc: Doc, name: string, value: OptionalValue): void {
  if (value === undefined) doc.delete(name);
  else doc.set(name, value);
}

function positional(matcher: Matcher | undefined): (value: Value, doc: Doc) => OptionalValue {
  return (value, doc) => {
    const hit: Hit = {};
    matcher?.(doc, hit);
    if (!Array.isArray(value)) return value;
    if (hit.index === undefined)
      throw new MongoError(
        'BadValue',
        "Executor error during find command: positional operator '.$' couldn't find a matching element in the array",
      );
    return value.slice(hit.index, hit.index + 1);
  };
}

function firstMatching(operand: Value): (value: Value) => OptionalValue {
  const matches = compileElement(operand);
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const found = value.findIndex(matches);
    return found < 0 ? undefined : value.slice(found, found + 1);
  };
}

function slicer(operand: Value): (value: Value) => OptionalValue {
  const parts = Array.isArray(operand) ? operand : [operand];
  const [first, second] = parts.map((part) => (isNumeric(part) ? Math.trunc(toNumber(part)) : Number.NaN));
  if (first === undefined || Number.isNaN(first) || Number.isNaN(second) || parts.length > 2)
    throw new MongoError('BadValue', 'Invalid $slice syntax');
  if (second !== undefined && second <= 0)
    throw new MongoError('BadValue', 'Second argument to $slice must be positive');
  return (value) => (Array.isArray(value) ? slice(value, first, second) : value);
}
