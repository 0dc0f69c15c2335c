import { Field, ObjectType } from 'type-graphql';

/** A group as other records name it. */
@ObjectType({ simpleResolvers: true, description: 'Key and name of a group.' })
export class GroupName {
  @Field(() => String, { description: 'Unique group key.' })
  readonly key!: string;

  @Field(() => String, { description: 'Name of the group.' })
  readonly name!: string;
}
