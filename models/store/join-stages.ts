import type { PipelineStage } from 'mongoose';

/** Stages that join the one document of another collection; if there is none, nothing is found at all. */
export function joinOne(from: string, localField: string, foreignField: string, as: string): PipelineStage[] {
  return [joinAll(from, localField, foreignField, as), { $unwind: `$${as}` }];
}

/**
 * A stage that joins all documents of another collection that have a field in common, whole: not every compatible server has
 * joins with a pipeline.
 */
export function joinAll(from: string, localField: string, foreignField: string, as: string): PipelineStage.Lookup {
  return { $lookup: { from, localField, foreignField, as } };
}

/**
 * A stage that joins documents of another collection that have a field in common, the first ones by a pipeline, which keeps that
 * field: DocumentDB for PostgreSQL finds nothing if the projection omits it. Only lists of vehicles use this form: they
 * would otherwise take a command for each vehicle.
 */
export function joinFirst(
  from: string,
  localField: string,
  foreignField: string,
  as: string,
  pipeline: readonly [{ $match: object }, { $sort: object }, { $limit: number }, { $project: object }],
): { $lookup: object } {
  const [match, sort, limit, { $project }] = pipeline;
  const names = Object.values($project).some((shown) => shown === 1);
  const kept = [match, sort, limit, { $project: names ? { ...$project, [foreignField]: 1 } : $project }];
  return { $lookup: { from, localField, foreignField, pipeline: kept, as } };
}

/** Fields of a projection, including those of a joined document. */
interface ProjectedFields {
  readonly [field: string]: 0 | 1 | ProjectedFields;
}

/**
 * A stage that keeps some fields. Those of joined documents are named by paths: not every compatible server accepts them
 * nested.
 */
export function projectOf(fields: ProjectedFields): PipelineStage.Project {
  const paths = (prefix: string, within: ProjectedFields): [string, 0 | 1][] =>
    Object.entries(within).flatMap(([name, field]) =>
      typeof field === 'object' ? paths(`${prefix}${name}.`, field) : [[prefix + name, field] as [string, 0 | 1]],
    );
  return { $project: Object.fromEntries(paths('', fields)) };
}
