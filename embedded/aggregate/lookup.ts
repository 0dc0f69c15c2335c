import { BSONRegExp } from 'bson';
import { checkForm } from '../bson/mongo-error.ts';
import { isDoc, type Doc, type OptionalValue, type Value } from '../bson/value.ts';
import { compileExpression } from '../query/expression.ts';
import { checkFieldPath, isIndex } from '../query/path.ts';
import { isOperators } from '../query/value-tests.ts';
import type { StageContext, Stream } from './stage.ts';
import { replaceAt } from './unwind.ts';

const ARGUMENTS = new Set(['from', 'as', 'localField', 'foreignField', 'let', 'pipeline']);

/** Prepares `$lookup`, by equal fields, a pipeline, or both; its variables are set again for each document joined. */
export function compileLookup(operand: Value, context: StageContext): Stream {
  checkForm(isDoc(operand), 'the $lookup specification must be an Object');
  for (const name of operand.keys()) checkForm(ARGUMENTS.has(name), `unknown argument to $lookup: ${name}`);
  const as = pathOf(operand, 'as');
  const fields = fieldsOf(operand);
  const stages = operand.get('pipeline');
  checkForm(stages === undefined || Array.isArray(stages), "'pipeline' option must be specified as an array");
  checkForm(fields || stages, '$lookup requires either a pipeline or both localField and foreignField');
  const bindings = bindingsOf(operand, stages !== undefined);
  const variables = new Map<string, OptionalValue>();
  const search = context.search(text(operand, 'from'), stages ?? [], variables);
  return function* (docs) {
    for (const doc of docs) {
      const scope = { root: doc, variables: context.variables };
      for (const [name, value] of context.variables) variables.set(name, value);
      for (const [name, value] of bindings) variables.set(name, value(scope));
      const filter: Doc = fields ? joinFilter(fields.foreign, valuesAt(doc, fields.local, 0)) : new Map();
      yield replaceAt(doc, as, [...search(filter)]);
    }
  };
}

function fieldsOf(spec: Doc): { local: string[]; foreign: string } | undefined {
  if (!spec.has('localField') && !spec.has('foreignField')) return undefined;
  return { local: pathOf(spec, 'localField'), foreign: pathOf(spec, 'foreignField').join('.') };
}

function bindingsOf(spec: Doc, hasPipeline: boolean) {
  const bindings = spec.get('let') ?? new Map();
  checkForm(isDoc(bindings), "$lookup argument 'let' must be an object");
  checkForm(hasPipeline || !spec.has('let'), "$lookup with a 'let' argument must also specify 'pipeline'");
  return [...bindings].map(([name, source]) => [name, compileExpression(source)] as const);
}

/** The values by which a document joins; for an array on the path or at its end, each of its elements, one level deep. */
function valuesAt(value: OptionalValue, path: readonly string[], at: number): Value[] {
  const part = path[at];
  if (part === undefined) return Array.isArray(value) ? value : value === undefined ? [] : [value];
  if (isDoc(value)) return valuesAt(value.get(part), path, at + 1);
  if (!Array.isArray(value)) return [];
  if (isIndex(part)) return valuesAt(value[Number(part)], path, at + 1);
  return value.filter(isDoc).flatMap((element) => valuesAt(element, path, at));
}

/** Documents without a value join by null, which is equal to missing. */
function joinFilter(field: string, values: Value[]): Doc {
  const [only = null] = values;
  const equal = (value: Value): Doc => new Map([[field, new Map([['$eq', value]])]]);
  if (values.length < 2) return equal(only);
  if (values.some((value) => value instanceof BSONRegExp || isOperators(value)))
    return new Map([['$or', values.map(equal)]]);
  return new Map([[field, new Map([['$in', values]])]]);
}

function pathOf(spec: Doc, name: string): string[] {
  const path = text(spec, name).split('.');
  checkFieldPath(path);
  return path;
}

function text(spec: Doc, name: string): string {
  const value = spec.get(name);
  checkForm(typeof value === 'string', `$lookup argument '${name}' must be a string`);
  return value;
}
