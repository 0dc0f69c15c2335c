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
