import { App } from '../../schema/account/app.ts';

import { modelOf, type Stored } from '../model-of.ts';

/** Fields of an app that never leave. */
interface AppHidden {
  /** The account that registered the app; users of any account may grant it access. */
  readonly account_key: string;
  /** Null for a public app, which cannot keep a secret and proves itself by PKCE alone (RFC 6749, section 2.1). */
  readonly secret_hash: string | null;
  /** The user who registered it on the developer platform; null where the operator or the owner's key did. */
  readonly registered_by: string | null;
  /** True where an app with a secret must use PKCE as well; apps older than this option need not. */
  readonly pkce: boolean;
}

type Computed = 'is_public' | 'requires_pkce';

/** An app as it is read from the database. */
export type StoredApp = Stored<App, AppHidden, Computed>;

/** Registered apps. */
export const AppModel = modelOf<App, AppHidden, Computed>(App, {
  collection: 'apps',
  tenancy: 'account',
  hidden: {
    account_key: { type: String, required: true },
    secret_hash: { type: String, default: null },
    registered_by: { type: String, default: null },
    pkce: { type: Boolean, default: false },
  },
  computed: ['is_public', 'requires_pkce'],
  indexes: [[{ client_id: 1 }, { unique: true }], [{ account_key: 1, _id: 1 }]],
});

/** Tells whether an app must send a PKCE challenge: a public one always (RFC 9700, section 2.1.1). */
export function requiresPkce({ secret_hash, pkce }: Pick<StoredApp, 'secret_hash' | 'pkce'>): boolean {
  return secret_hash === null || pkce === true;
}
