import { Field, ObjectType } from 'type-graphql';

/** Answer to an app that deletes what it has sent when it reads this. */
@ObjectType({ simpleResolvers: true, description: 'Receipt of positions: an app that reads it need not keep them.' })
export class Receipt {
  @Field(() => String, { description: 'Always `ok`.' })
  readonly result!: string;
}
