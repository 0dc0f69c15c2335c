import mongoose from 'mongoose';

import { collectionOptions } from '../collection-options.ts';

/** Kind of a record: a user's permission to an app, a token issued for it, or a visit of a browser. */
export type OauthKind = 'Grant' | 'AccessToken' | 'RefreshToken' | 'AuthorizationCode' | 'Session' | 'Interaction';

/**
 * Record of the OAuth server: a grant of a user to an app, a token issued for it, or a visit of a browser
 * that signs in.
 */
export interface OauthRecord {
  readonly kind: OauthKind;
  /** SHA-256 of the token or cookie, so that the database holds nothing that opens an endpoint. A grant's is its name. */
  readonly id_hash: string;
  /** The grant: revoking it ends all that came of it. Null for visits. */
  readonly grant_hash: string | null;
  readonly user_key: string | null;
  readonly client_id: string | null;
  readonly scopes: readonly string[];
  readonly created: Date;
  readonly expires_at: Date | null;
  /** When what may be used once was used. */
  readonly consumed: Date | null;
  /** Further members of the OAuth library's record, as JSON without any secret. */
  readonly details: string | null;
  /** Of a session: when its browser was last here, to the minute, from which network, and its coarse name. */
  readonly last_used: Date | null;
  readonly network: string | null;
  readonly browser: string | null;
}

/** A permission that a user gave an app. */
export type Grant = OauthRecord & {
  readonly kind: 'Grant';
  readonly grant_hash: string;
  readonly user_key: string;
  readonly client_id: string;
};

const schema = new mongoose.Schema<OauthRecord>(
  {
    kind: { type: String, required: true },
    id_hash: { type: String, required: true },
    grant_hash: { type: String, default: null },
    user_key: { type: String, default: null },
    client_id: { type: String, default: null },
    scopes: { type: [String], default: [] },
    created: { type: Date, default: () => new Date() },
    expires_at: { type: Date, default: null },
    consumed: { type: Date, default: null },
    details: { type: String, default: null },
    last_used: { type: Date, default: null },
    network: { type: String, default: null },
    browser: { type: String, default: null },
  },
  collectionOptions('oauth_records'),
);
schema.index({ kind: 1, id_hash: 1 }, { unique: true });
schema.index({ grant_hash: 1 });
schema.index({ client_id: 1, user_key: 1 });
schema.index({ user_key: 1 });
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** Grants, tokens and visits. They belong to no tenant: whoever holds the secret names the user by it. */
export const OauthRecordModel = mongoose.model<OauthRecord>('OauthRecord', schema);
