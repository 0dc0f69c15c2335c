import { Field, Int, ObjectType } from 'type-graphql';

/** Answer of the special-purpose token endpoint. Specification: "Special-purpose token". */
@ObjectType({ simpleResolvers: true, description: 'A special-purpose token.' })
export class IssuedToken {
  @Field(() => String, { description: 'The signed token, a compact JWT.' })
  readonly token!: string;

  @Field(() => Int, { description: 'Seconds until it expires.' })
  readonly expires_in!: number;

  @Field(() => String, { description: 'Always `Bearer`.' })
  readonly token_type!: string;
}
