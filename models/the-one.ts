import type { PipelineStage } from 'mongoose';

/** Stages that join the one document of another collection; where there is none, nothing is found at all. */
export function theOne(
  from: string,
  localField: string,
  foreignField: string,
  as: string,
  filter?: Readonly<Record<string, unknown>>,
): PipelineStage[] {
  const pipeline = filter ? { pipeline: [{ $match: { ...filter } }] } : {};
  return [{ $lookup: { from, localField, foreignField, ...pipeline, as } }, { $unwind: `$${as}` }];
}

/** A stage that joins all documents of another collection that have a field in common, with these fields if any are given. */
export function allOf(
  from: string,
  localField: string,
  foreignField: string,
  as: string,
  fields?: Readonly<Record<string, 1>>,
): PipelineStage {
  return { $lookup: { from, localField, foreignField, ...(fields && { pipeline: [{ $project: fields }] }), as } };
}

/** A stage that joins documents of another collection that have a field in common, the first ones by a pipeline. */
export function firstOf(
  from: string,
  localField: string,
  foreignField: string,
  as: string,
  pipeline: readonly [{ $match: object }, { $sort: object }, { $limit: number }, { $project: object }],
): { $lookup: object } {
  return { $lookup: { from, localField, foreignField, pipeline, as } };
}
