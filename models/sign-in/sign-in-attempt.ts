import mongoose from 'mongoose';

import { collectionOptions } from '../collection-options.ts';

/** One try to sign in that has not succeeded. */
export interface SignInAttempt {
  /** SHA-256 of what attempts are counted by, such as an e-mail address and a network together. */
  readonly who_hash: string;
  /** One of the few places that there are for each; none free means locked. */
  readonly slot: number;
  readonly at: Date;
  readonly expires_at: Date;
}

const schema = new mongoose.Schema<SignInAttempt>(
  {
    who_hash: { type: String, required: true },
    slot: { type: Number, required: true },
    at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
  },
  collectionOptions('sign_in_attempts'),
);
schema.index({ who_hash: 1, slot: 1 }, { unique: true });
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** Tries to sign in, kept for as long as they count, shared by all processes of a service. */
export const SignInAttemptModel = mongoose.model<SignInAttempt>('SignInAttempt', schema);
