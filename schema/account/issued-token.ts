import { Field, Int } from 'type-graphql';

import { RecordType } from '../field-decorators.ts';

/** Answer of the special-purpose token endpoint. Specification: "Special-purpose token". */
@RecordType('A special-purpose token.')
export class IssuedToken {
  @Field(() => String, { description: 'The signed token, a compact JWT.' })
  readonly token!: string;

  @Field(() => Int, { description: 'Seconds until it expires.' })
  readonly expires_in!: number;

  @Field(() => String, { description: 'Always `Bearer`.' })
  readonly token_type!: string;
}
