import type { Caller } from './caller.ts';

/** The maker of a record: an app for one of its users, by a grant; null for the account's owner. */
export interface Maker {
  readonly client_id: string | null;
  readonly user_key: string | null;
  readonly grant_hash: string | null;
}

/** The maker of records that a caller makes. */
export function makerOf(caller: Caller): Maker {
  if (caller.kind !== 'app') return { client_id: null, user_key: null, grant_hash: null };
  const { client_id, user_key, grant_hash } = caller;
  return { client_id, user_key, grant_hash };
}

/** Condition on the records that a caller manages: an app those that it has made for its user, the owner all. */
export function madeBy(caller: Caller): Partial<Pick<Maker, 'client_id' | 'user_key'>> {
  return caller.kind === 'app' ? { client_id: caller.client_id, user_key: caller.user_key } : {};
}
