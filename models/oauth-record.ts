import mongoose from 'mongoose';

/** What the OAuth server remembers: what a user granted an app, and the tokens that came of it. */
export interface OauthRecord {
  readonly kind: 'Grant' | 'AccessToken';
  /** SHA-256 of the token or grant id, so that the database holds nothing that opens a door. */
  readonly id_hash: string;
  /** Hash of the grant's id: revoking the grant ends all that came of it. */
  readonly grant_hash: string;
  readonly user_key: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly expires_at: Date | null;
}

const schema = new mongoose.Schema<OauthRecord>(
  {
    kind: { type: String, required: true },
    id_hash: { type: String, required: true },
    grant_hash: { type: String, required: true },
    user_key: { type: String, required: true },
    client_id: { type: String, required: true },
    scopes: { type: [String], required: true },
    expires_at: { type: Date, default: null },
  },
  { collection: 'oauth_records', versionKey: false, strict: 'throw', strictQuery: 'throw', autoIndex: false },
);
schema.index({ kind: 1, id_hash: 1 }, { unique: true });
schema.index({ grant_hash: 1 });
schema.index({ client_id: 1, user_key: 1 });
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** Grants and tokens. They belong to no tenant: whoever holds the secret names the user by it. */
export const OauthRecordModel = mongoose.model<OauthRecord>('OauthRecord', schema);
