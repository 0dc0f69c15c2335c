import type { Doc, Value } from '../bson/value.ts';
import type { Variables } from '../query/expression.ts';

/** A prepared pipeline or stage. */
export type Stream = (docs: Iterable<Doc>) => Iterable<Doc>;

/** Access of stages to more than the documents that come to them. */
export interface StageContext {
  readonly variables: Variables;
  /** Prepares a pipeline on another collection of the same database, to be run on what a filter finds there. */
  search(collection: string, stages: readonly Value[], variables: Variables): (filter: Doc) => Iterable<Doc>;
}
