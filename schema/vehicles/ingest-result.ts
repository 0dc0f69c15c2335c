import { Field, Int, ObjectType } from 'type-graphql';

/** Outcome of a request that sends positions. */
@ObjectType({ simpleResolvers: true, description: 'What became of the positions of a request.' })
export class IngestResult {
  @Field(() => Int, { description: 'Positions that were new, and are stored now.' })
  readonly accepted!: number;

  @Field(() => Int, { description: 'Positions of times that were known, or repeated in the request.' })
  readonly duplicates!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'Why nothing of a message of Traccar or a telephone is stored, or that positions were not since they are older than the ' +
      'account keeps them: it is answered with success, since sending it again would be in vain.',
  })
  readonly refused!: string | null;
}
