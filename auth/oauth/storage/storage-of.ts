import type { Adapter } from 'oidc-provider';

import { AccessTokenAdapter } from './access-token-adapter.ts';
import { ClientAdapter } from './client-adapter.ts';
import { GrantAdapter } from './grant-adapter.ts';
import { RejectingAdapter } from './rejecting-adapter.ts';
import { SingleUseAdapter } from './single-use-adapter.ts';
import { VisitAdapter } from './visit-adapter.ts';

/** Returns the storage of a kind of record; kinds that no enabled feature needs are rejected. */
export function storageOf(kind: string): Adapter {
  switch (kind) {
    case 'Client':
      return new ClientAdapter(kind);
    case 'Grant':
      return new GrantAdapter(kind);
    case 'AccessToken':
      return new AccessTokenAdapter(kind);
    case 'AuthorizationCode':
    case 'RefreshToken':
      return new SingleUseAdapter(kind);
    case 'Session':
    case 'Interaction':
      return new VisitAdapter(kind);
    default:
      return new RejectingAdapter(kind);
  }
}
