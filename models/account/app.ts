import { App } from '../../schema/account/app.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, required } from '../store/stored-fields.ts';

/** Registered apps. */
export const AppStore = storeOf(App, {
  collection: 'apps',
  tenancy: 'account',
  decides: ['scopes'],
  hidden: {
    /** The account that registered the app; users of any account may grant it access. */
    account_key: required(String),
    /** Null for a public app, which cannot keep a secret and proves itself by PKCE alone (RFC 6749, section 2.1). */
    secret_hash: nullable(String),
    /** The user who registered it on the developer platform; null if the operator or the owner's key did. */
    registered_by: nullable(String),
    /** True if an app with a secret must use PKCE as well; apps older than this option need not. */
    pkce: defaulting(Boolean, false),
  },
  computed: ['is_public', 'requires_pkce'],
  indexes: [[{ client_id: 1 }, { unique: true }], [{ account_key: 1, _id: 1 }]],
});

/** An app as it is read from the database. */
export type StoredApp = StoredIn<typeof AppStore>;

/** Returns true if an app must send a PKCE challenge: a public one always (RFC 9700, section 2.1.1). */
export function requiresPkce({ secret_hash, pkce }: Pick<StoredApp, 'secret_hash' | 'pkce'>): boolean {
  return secret_hash === null || pkce === true;
}
