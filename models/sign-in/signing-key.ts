import { storeOf, type StoredIn } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';

/** Key pairs with which special-purpose tokens are signed, shared by all processes of a service. */
export const SigningKeyStore = storeOf('SigningKey', {
  collection: 'signing_keys',
  tenancy: null,
  decides: [],
  hidden: {
    kid: required(String),
    /** The private JWK: as JSON, or encrypted by the operator's secret as a compact JWE (RFC 7516, section 3.1). */
    private_key: required(String),
    created: required(Date),
  },
  indexes: [[{ kid: 1 }, { unique: true }]],
});

/** A key pair as it is read from the database. */
export type SigningKey = Omit<StoredIn<typeof SigningKeyStore>, '_id'>;
