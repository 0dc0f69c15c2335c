import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, required, type StoredField } from '../store/stored-fields.ts';

/**
 * Kind of a record: a user's permission to an app, a token issued for it, the salt of the successors of a used refresh token, a
 * visit of a browser that signs in, a proved password of users among whom it chooses, or the link to create the first account.
 */
export type OauthKind =
  | 'Grant'
  | 'AccessToken'
  | 'RefreshToken'
  | 'Rotation'
  | 'AuthorizationCode'
  | 'Session'
  | 'Interaction'
  | 'AccountChoice'
  | 'SetupLink';

/** Grants, tokens and visits. They belong to no tenant: a secret identifies the user. */
export const OauthRecordStore = storeOf('OauthRecord', {
  collection: 'oauth_records',
  tenancy: null,
  decides: [],
  permits: ['Grant', 'AccessToken', 'Session'],
  hidden: {
    kind: required(String) as StoredField<OauthKind>,
    /** SHA-256 of the token or cookie, so that the database holds no usable credential. For a grant, its name. */
    id_hash: required(String),
    /** The grant: revoking it ends all its tokens. Null for visits. */
    grant_hash: nullable(String),
    user_key: nullable(String),
    client_id: nullable(String),
    scopes: defaulting([String], []),
    created: defaulting(Date, () => new Date()),
    expires_at: nullable(Date),
    /** When a single-use record was used. */
    consumed: nullable(Date),
    /** Further members of the OAuth library's record, as JSON without any secret. */
    details: nullable(String),
    /** Of a session: its last use to the minute, with the network and the coarse name of the browser. */
    last_used: nullable(Date),
    network: nullable(String),
    browser: nullable(String),
  },
  indexes: [
    [{ kind: 1, id_hash: 1 }, { unique: true }],
    [{ grant_hash: 1 }],
    [{ client_id: 1, user_key: 1 }],
    [{ user_key: 1 }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});

/** Record of the OAuth server. */
export type OauthRecord = Omit<StoredIn<typeof OauthRecordStore>, '_id'>;

/** A permission that a user gave an app. */
export type Grant = OauthRecord & {
  readonly kind: 'Grant';
  readonly grant_hash: string;
  readonly user_key: string;
  readonly client_id: string;
};
