import { Field, Int, ObjectType } from 'type-graphql';

/** Outcome of a request that sends positions. */
@ObjectType({ simpleResolvers: true, description: 'What became of the positions of a request.' })
export class IngestResult {
  @Field(() => Int, { description: 'Positions that were new, and are stored now.' })
  readonly accepted!: number;

  @Field(() => Int, { description: 'Positions of times that were known, or repeated in the request.' })
  readonly duplicates!: number;
}
