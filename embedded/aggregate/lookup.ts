import { BSONRegExp } from 'bson';
import { MongoError } from '../mongo-error.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, Maybe, Value } from '../bson/value.ts';
import { compileExpression } from '../query/expression.ts';
import type { StageContext, Stream, compilePipeline } from './pipeline.ts';
import { replaceAt } from './unwind.ts';

/** Prepares `$lookup`: joins documents of another collection, by equal fields, a pipeline, or both. */
export function compileLookup(operand: Value, context: StageContext, compile: typeof compilePipeline): Stream {
  if (!isDoc(operand)) throw new MongoError('FailedToParse', 'the $lookup specification must be an Object');
  const from = text(operand, 'from');
  const as = text(operand, 'as').split('.');
  const local = operand.has('localField') ? compileExpression(`$${text(operand, 'localField')}`) : undefined;
  const foreign = local ? text(operand, 'foreignField') : '';
  const stages = operand.get('pipeline');
  if (stages !== undefined && !Array.isArray(stages))
    throw new MongoError('FailedToParse', "'pipeline' option must be specified as an array");
  if (!local && !stages)
    throw new MongoError('FailedToParse', '$lookup requires either a pipeline or both localField and foreignField');
  const bindings = [...(operand.get('let') instanceof Map ? (operand.get('let') as Doc) : [])].map(
    ([name, source]) => [name, compileExpression(source)] as const,
  );
  if (stages) compile(stages, context);
  return function* (docs) {
    for (const doc of docs) {
      const scope = { root: doc, variables: context.variables };
      const variables = new Map([
        ...context.variables,
        ...bindings.map(([name, value]) => [name, value(scope)] as const),
      ]);
      const found = context.find(from, local ? filterFor(foreign, local(scope)) : new Map());
      const joined = stages ? compile(stages, { ...context, variables })(found) : found;
      yield replaceAt(doc, as, [...joined]);
    }
  };
}

/** An array joins with each of its elements; a missing field joins with null and missing. */
function filterFor(field: string, value: Maybe): Doc {
  const wanted: Value[] = Array.isArray(value) ? value : [value ?? null];
  if (wanted.some((part) => part instanceof BSONRegExp))
    return new Map([['$or', wanted.map((part) => new Map([[field, new Map([['$eq', part]])]]))]]);
  return new Map([[field, new Map([['$in', wanted]])]]);
}

function text(spec: Doc, name: string): string {
  const value = spec.get(name);
  if (typeof value !== 'string') throw new MongoError('FailedToParse', `$lookup argument '${name}' must be a string`);
  return value;
}
