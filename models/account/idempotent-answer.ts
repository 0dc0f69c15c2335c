import { storeOf } from '../store/store-of.ts';
import { defaulting, nullable, required } from '../store/stored-fields.ts';

/** Answers to requests with an `Idempotency-Key`, each under a hash of the credential and the key; and claims of records while they are changed with `If-Match`. */
export const IdempotentAnswerStore = storeOf('IdempotentAnswer', {
  collection: 'idempotent_answers',
  tenancy: null,
  hidden: {
    id_hash: required(String),
    /** Hash of what was asked for, and of what the caller could reach then. */
    fingerprint: required(String),
    /** Names the process that executes the request; another one in the place of one that was given up. */
    holder: defaulting(String, ''),
    /** Until when the holder counts as alive. */
    busy_until: required(Date),
    /** The answer, encrypted with the credential and the key, which are not stored; null until it is there. */
    sealed: nullable(String),
    /** True once the request was found to be allowed by its `If-Match`, if its change is not stored with the answer. */
    is_met: defaulting(Boolean, false),
    /** When the request was begun first. */
    begun: nullable(Date),
    expires_at: required(Date),
  },
  indexes: [
    [{ id_hash: 1 }, { unique: true }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});
