import mongoose from 'mongoose';

import { collectionOptions } from '../collection-options.ts';

/** A browser in which a user has signed in before. */
export interface KnownBrowser {
  /** SHA-256 of the browser's cookie. */
  readonly browser_hash: string;
  readonly user_key: string;
  readonly expires_at: Date;
}

const schema = new mongoose.Schema<KnownBrowser>(
  {
    browser_hash: { type: String, required: true },
    user_key: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  collectionOptions('known_browsers'),
);
schema.index({ browser_hash: 1, user_key: 1 }, { unique: true });
schema.index({ user_key: 1 });
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** Browsers that have proved a user's password, which strangers cannot lock out. */
export const KnownBrowserModel = mongoose.model<KnownBrowser>('KnownBrowser', schema);
