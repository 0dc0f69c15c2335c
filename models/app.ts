import { App } from '../schema/app.ts';

import { modelOf } from './model-of.ts';

/** Fields of an app that never leave. */
interface AppHidden {
  /** The account that registered the app; users of any account may grant it access. */
  readonly account_key: string;
  readonly secret_hash: string;
}

/** Registered apps. */
export const AppModel = modelOf<App, AppHidden>(App, {
  collection: 'apps',
  tenancy: 'account',
  hidden: {
    account_key: { type: String, required: true },
    secret_hash: { type: String, required: true },
  },
  indexes: [[{ client_id: 1 }, { unique: true }], [{ account_key: 1, _id: 1 }]],
});
