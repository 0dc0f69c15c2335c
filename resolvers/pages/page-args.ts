import { ArgsType, Field, Int } from 'type-graphql';

/** The arguments of a list that has no others, from the last to the first: `guard` turns them round. */
@ArgsType()
export class PageArgs {
  @Field(() => String, { nullable: true, description: 'The `end_cursor` of the previous page.' })
  readonly after?: string | null;

  @Field(() => Int, { defaultValue: 50, description: 'Size of the page, 1 to 1000.' })
  readonly first!: number;
}
