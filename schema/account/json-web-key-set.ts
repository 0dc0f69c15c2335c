import { Field } from 'type-graphql';

import { RecordType } from '../field-decorators.ts';

/** A public key with which special-purpose tokens are verified (RFC 7517, RFC 7518 section 6.2). */
@RecordType('A public key with which special-purpose tokens are verified.')
export class JsonWebKey {
  @Field(() => String, { description: 'Key type, `EC`.' })
  readonly kty!: string;

  @Field(() => String, { description: 'Curve, `P-256`.' })
  readonly crv!: string;

  @Field(() => String, { description: 'First coordinate of the point.' })
  readonly x!: string;

  @Field(() => String, { description: 'Second coordinate of the point.' })
  readonly y!: string;

  @Field(() => String, { description: 'Id of the key, as tokens name it.' })
  readonly kid!: string;

  @Field(() => String, { description: 'Algorithm, `ES256`.' })
  readonly alg!: string;

  @Field(() => String, { description: 'Use, `sig`.' })
  readonly use!: string;
}

/** A JWK Set (RFC 7517, section 5). */
@RecordType('The public keys of the service.')
export class JsonWebKeySet {
  @Field(() => [JsonWebKey], { description: 'Keys, newest first.' })
  readonly keys!: JsonWebKey[];
}
