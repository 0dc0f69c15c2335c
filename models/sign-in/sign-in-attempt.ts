import { storeOf } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';

/** Attempts to sign in that have not succeeded, kept for as long as they count, shared by all processes of a service. */
export const SignInAttemptStore = storeOf('SignInAttempt', {
  collection: 'sign_in_attempts',
  tenancy: null,
  hidden: {
    /** SHA-256 of the subject by which attempts are counted, such as an e-mail address together with a network. */
    who_hash: required(String),
    /** One of the few slots for each subject; if none is free, it is locked. */
    slot: required(Number),
    at: required(Date),
    expires_at: required(Date),
  },
  indexes: [
    [{ who_hash: 1, slot: 1 }, { unique: true }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});
