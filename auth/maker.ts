import { actsAsOwner, type Caller } from './caller.ts';

/** The maker of a record: an app for one of its users, by a grant; a signed-in user, without app; null for the account's owner. */
export interface Maker {
  readonly client_id: string | null;
  readonly user_key: string | null;
  readonly grant_hash: string | null;
}

/** The maker of records that a caller makes. */
export function makerOf(caller: Caller): Maker {
  const user_key = (caller.kind === 'user' && !actsAsOwner(caller)) || caller.kind === 'app' ? caller.user_key : null;
  const { client_id = null, grant_hash = null } = caller.kind === 'app' ? caller : {};
  return { client_id, user_key, grant_hash };
}

/** Condition on the records that a caller manages: an app or a user their own, whoever acts as the owner all. */
export function madeBy(caller: Caller): Partial<Pick<Maker, 'client_id' | 'user_key'>> {
  const { client_id, user_key } = makerOf(caller);
  return user_key === null ? {} : { client_id, user_key };
}
