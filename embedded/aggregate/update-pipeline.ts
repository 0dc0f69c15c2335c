import { MongoError } from '../bson/mongo-error.ts';
import type { Doc, Value } from '../bson/value.ts';
import type { Variables } from '../query/expression.ts';
import { compilePipeline, stageOf } from './pipeline.ts';

const ALLOWED = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

/** Prepares an update given as a pipeline. */
export function compileUpdatePipeline(stages: Value[], variables: Variables): (doc: Doc) => Doc {
  for (const stage of stages) {
    const [name] = stageOf(stage);
    if (!ALLOWED.has(name))
      throw new MongoError('InvalidOptions', `${name} is not allowed to be used within an update`);
  }
  const stream = compilePipeline(stages, { variables, search: () => () => [] });
  return (doc) => {
    const [after] = stream([doc]);
    const id = doc.get('_id');
    return after?.has('_id') || id === undefined ? (after ?? doc) : new Map([['_id', id], ...(after ?? [])]);
  };
}
