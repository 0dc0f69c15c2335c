import { App } from '../schema/app.ts';

import { modelOf } from './model-of.ts';

/** Fields of an app that never leave. */
interface AppHidden {
  /** The account that registered the app; users of any account may grant it access. */
  readonly account_key: string;
  /** Null for a public app, which cannot keep a secret and proves itself by PKCE alone (RFC 6749, section 2.1). */
  readonly secret_hash: string | null;
  /** The user who registered it on the developer platform; null where the operator or the owner's key did. */
  readonly registered_by: string | null;
}

/** Registered apps. */
export const AppModel = modelOf<App, AppHidden, 'is_public'>(App, {
  collection: 'apps',
  tenancy: 'account',
  hidden: {
    account_key: { type: String, required: true },
    secret_hash: { type: String, default: null },
    registered_by: { type: String, default: null },
  },
  computed: ['is_public'],
  indexes: [[{ client_id: 1 }, { unique: true }], [{ account_key: 1, _id: 1 }]],
});
