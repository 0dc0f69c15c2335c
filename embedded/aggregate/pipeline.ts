import { MongoError, unsupported } from '../bson/mongo-error.ts';
import { isDoc } from '../bson/value.ts';
import type { Value } from '../bson/value.ts';
import type { StageContext, Stream } from './stage.ts';
import { STAGES } from './stages.ts';

/** Prepares a pipeline; throws for a stage this server does not have. */
export function compilePipeline(stages: readonly Value[], context: StageContext): Stream {
  const streams = stages.map((stage) => {
    const [name, operand] = stageOf(stage);
    if (name === '$changeStream') throw unsupported('The $changeStream stage', 'Location40573');
    const compile = STAGES.get(name);
    if (!compile && !REFUSED.has(name))
      throw new MongoError('Location40324', `Unrecognized pipeline stage name: '${name}'`);
    if (!compile) throw unsupported(`The ${name} stage`);
    return compile(operand, context, compilePipeline);
  });
  return (docs) => streams.reduce((result, stream) => stream(result), docs);
}

/** Stages of MongoDB that are refused here, or in this place; any other name is no stage at all. */
const REFUSED = new Set(
  '$out $merge $geoNear $search $vectorSearch $text $bucket $bucketAuto $collStats $currentOp $densify $documents $fill $graphLookup $indexStats $listSessions $planCacheStats $redact $sample $setWindowFields $unionWith'.split(
    ' ',
  ),
);

/** The name and operand of a stage. */
export function stageOf(stage: Value): [string, Value] {
  if (!isDoc(stage) || stage.size !== 1)
    throw new MongoError('Location40323', 'A pipeline stage specification object must contain exactly one field.');
  const [entry] = stage;
  return entry ?? ['', null];
}
