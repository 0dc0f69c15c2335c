import { decode, encode } from '../bson/codec.ts';
import { type FieldStep, fieldCopier } from '../bson/copy-fields.ts';
import { check, unsupported } from '../bson/mongo-error.ts';
import { isNumeric, isTrue, toNumber } from '../bson/numbers.ts';
import { isDoc, setOrDelete, type Doc, type OptionalValue, type Value } from '../bson/value.ts';
import { compileExpression, type Expression, type Variables } from './expression.ts';
import { compileElement, type Hit, type Matcher } from './match.ts';
import { slice } from './operators/collections.ts';

/** Returns the part of a document that a projection selects. */
export type Projector = (doc: Doc) => Doc;

/** The treatment of a name by a projection: keep or drop it, go deeper, compute it, or cut an array. */
type Step =
  | 'keep'
  | 'drop'
  | Plan
  | { readonly compute: Expression }
  | { readonly cut: (value: Value, doc: Doc) => OptionalValue };
type Plan = Map<string, Step>;

/** A projection of one document: whether fields without a step are omitted, and the scope of computed ones. */
interface Projection {
  readonly include: boolean;
  readonly scope: { readonly root: Doc; readonly variables: Variables };
}

type Modes = Set<'include' | 'exclude'>;

/** Options of a projection: variables, and for `field.$` the filter that selected the document. */
export interface ProjectionOptions {
  readonly variables?: Variables | undefined;
  readonly matcher?: Matcher | undefined;
  /** True for the operators of find ($slice, $elemMatch, positional), false for the aggregation stage. */
  readonly isFind?: boolean;
}

/** Prepares a projection of find or of `$project`. */
export function compileProjection(projection: Doc, options: ProjectionOptions = {}): Projector {
  const { plan, include, variables } = parseProjection(projection, options);
  return (doc) => applyPlan(doc, plan, { include, scope: { root: doc, variables } });
}

/** Prepares a projection of documents in stored form; one that computes nothing copies fields unread. */
export function compileStoredProjection(projection: Doc, options: ProjectionOptions): (bytes: Buffer) => Buffer {
  const { plan, include, variables } = parseProjection(projection, options);
  if (isCopied(plan)) return fieldCopier(plan, include);
  return (bytes) => {
    const doc = decode(bytes);
    return encode(applyPlan(doc, plan, { include, scope: { root: doc, variables } }));
  };
}

function parseProjection(projection: Doc, options: ProjectionOptions) {
  const plan: Plan = new Map();
  const modes: Modes = new Set();
  for (const [path, value] of projection) addPath(plan, modes, path, value, options);
  const isIdOrComputed = [...plan.values()].some((step) => step === 'keep' || isComputed(step));
  const include = modes.has('include') || (modes.size === 0 && isIdOrComputed);
  const message = 'Cannot do exclusion on a field in inclusion projection, or the other way round';
  check(modes.size < 2, 'Location31254', message);
  if (include && !plan.has('_id')) plan.set('_id', 'keep');
  return { plan, include, variables: options.variables ?? new Map() };
}

function isCopied(plan: Plan): plan is Map<string, FieldStep & Step> {
  return [...plan.values()].every((step) => (step instanceof Map ? isCopied(step) : typeof step === 'string'));
}

function isComputed(step: Step): boolean {
  if (step instanceof Map) return [...step.values()].some(isComputed);
  return typeof step === 'object' && 'compute' in step;
}

function addPath(plan: Plan, modes: Modes, path: string, value: Value, options: ProjectionOptions): void {
  check(!path.split('.').includes(''), 'Location40353', `Projection path '${path}' is not valid`);
  check(!path.startsWith('$'), 'Location16410', `FieldPath field names may not start with '$'. '${path}'`);
  if (options.isFind && path.endsWith('.$')) {
    modes.add('include');
    insert(plan, path.slice(0, -2).split('.'), { cut: positional(options.matcher) });
    return;
  }
  const step = stepOf(value, modes, path, options);
  if (step) insert(plan, path.split('.'), step);
  else if (isDoc(value)) for (const [name, inner] of value) addPath(plan, modes, `${path}.${name}`, inner, options);
}

function stepOf(value: Value, modes: Modes, path: string, options: ProjectionOptions): Step | undefined {
  if (typeof value === 'boolean' || isNumeric(value)) {
    const keep = isTrue(value);
    if (path !== '_id') modes.add(keep ? 'include' : 'exclude');
    return keep ? 'keep' : 'drop';
  }
  if (isDoc(value)) {
    const [name] = value.keys();
    const message = `An empty sub-projection is not a valid value. Found empty object at path '${path}'`;
    check(name !== undefined, 'BadValue', message);
    if (!name.startsWith('$')) return undefined;
    const operand = value.get(name) ?? null;
    if (options.isFind && name === '$elemMatch') {
      modes.add('include');
      return { cut: firstMatching(operand) };
    }
    const isExpression = Array.isArray(operand) && operand.length > 1 && !isNumeric(operand[0]);
    if (options.isFind && name === '$slice' && !isExpression) return { cut: slicer(operand) };
    if (name === '$meta') throw unsupported('Projection operator $meta');
  }
  return { compute: compileExpression(value) };
}

function insert(plan: Plan, [name = '', ...rest]: string[], step: Step): void {
  const existing = plan.get(name);
  const isLast = rest.length === 0;
  const message = `Path collision at ${name}${isLast ? '' : ` remaining portion ${rest.join('.')}`}`;
  check(existing === undefined || (!isLast && existing instanceof Map), 'Location31249', message);
  const inner: Plan = existing instanceof Map ? existing : new Map();
  plan.set(name, isLast ? step : inner);
  if (!isLast) insert(inner, rest, step);
}

function applyPlan(doc: Doc, plan: Plan, task: Projection): Doc {
  const result: Doc = new Map();
  for (const [name, value] of doc) {
    const projected = applyStep(value, plan.get(name), task);
    if (projected !== undefined) result.set(name, projected);
  }
  for (const [name, step] of plan) {
    if (typeof step === 'object' && 'compute' in step) setOrDelete(result, name, step.compute(task.scope));
    else if (step instanceof Map && !doc.has(name) && isComputed(step))
      setOrDelete(result, name, applyPlan(new Map(), step, task));
  }
  return result;
}

function applyStep(value: Value, step: Step | undefined, task: Projection): OptionalValue {
  const { include, scope } = task;
  if (step === undefined) return include ? undefined : value;
  if (step === 'keep') return value;
  if (step === 'drop') return undefined;
  if (!(step instanceof Map)) return 'cut' in step ? step.cut(value, scope.root) : undefined;
  if (isDoc(value)) return applyPlan(value, step, task);
  if (Array.isArray(value))
    return value.map((element) => applyStep(element, step, task)).filter((projected) => projected !== undefined);
  return isComputed(step) ? applyPlan(new Map(), step, task) : include ? undefined : value;
}

function positional(matcher: Matcher | undefined): (value: Value, doc: Doc) => OptionalValue {
  return (value, doc) => {
    const hit: Hit = {};
    matcher?.(doc, hit);
    if (!Array.isArray(value)) return value;
    const message =
      "Executor error during find command: positional operator '.$' couldn't find a matching element in the array";
    check(hit.index !== undefined, 'BadValue', message);
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
  const isValid = first !== undefined && !Number.isNaN(first) && !Number.isNaN(second) && parts.length <= 2;
  check(isValid, 'BadValue', 'Invalid $slice syntax');
  check(second === undefined || second > 0, 'BadValue', 'Second argument to $slice must be positive');
  return (value) => (Array.isArray(value) ? slice(value, first, second) : value);
}
