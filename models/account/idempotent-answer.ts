import { storeOf } from '../store/store-of.ts';
import { defaulting, nullable, required } from '../store/stored-fields.ts';

/**
 * Answers to requests with an `Idempotency-Key`, each under a hash of the credential and the key; and locks of records while
 * they are changed with `If-Match`.
 */
export const IdempotentAnswerStore = storeOf('IdempotentAnswer', {
  collection: 'idempotent_answers',
  tenancy: null,
  hidden: {
    id_hash: required(String),
    /** Hash of the request, and of the caller's access scope at that time. */
    fingerprint: required(String),
    /** Names the process that executes the request; another process replaces one that was given up. */
    holder: defaulting(String, ''),
    /** Time until which the holder counts as alive. */
    busy_until: required(Date),
    /** The answer, encrypted with the credential and the key, which are not stored; null until there is one. */
    sealed: nullable(String),
    /** True once the `If-Match` of the request was met, if its change is not stored with the answer. */
    is_met: defaulting(Boolean, false),
    /** When the request was first started. */
    begun: nullable(Date),
    expires_at: required(Date),
  },
  indexes: [
    [{ id_hash: 1 }, { unique: true }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});
