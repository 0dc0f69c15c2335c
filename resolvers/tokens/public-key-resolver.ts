import { Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { publicKeySet } from '../../auth/signing-keys.ts';
import { JsonWebKeySet } from '../../schema/account/json-web-key-set.ts';

/** Public keys that verify special-purpose tokens. */
@Resolver()
export class PublicKeyResolver {
  @Access('visitor')
  @Query(() => JsonWebKeySet, { description: 'The public keys with which special-purpose tokens are verified.' })
  publicKeySet(): Promise<JsonWebKeySet> {
    return publicKeySet();
  }
}
