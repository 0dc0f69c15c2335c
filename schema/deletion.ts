import { Field, ObjectType } from 'type-graphql';

/** The answer to a deletion. Fleet API: "Paths". */
@ObjectType({ simpleResolvers: true, description: 'Result of a deletion.' })
export class Deletion {
  @Field(() => String, { description: 'Key of the deleted record.' })
  readonly key!: string;

  @Field(() => Boolean, { description: 'Always true.' })
  readonly deleted!: true;
}
