import { storeOf } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';

/** Browsers in which users have signed in before, where strangers cannot lock these users out. */
export const KnownBrowserStore = storeOf('KnownBrowser', {
  collection: 'known_browsers',
  tenancy: null,
  hidden: {
    /** SHA-256 of the browser's cookie. */
    browser_hash: required(String),
    user_key: required(String),
    expires_at: required(Date),
  },
  indexes: [
    [{ browser_hash: 1, user_key: 1 }, { unique: true }],
    [{ user_key: 1 }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});
