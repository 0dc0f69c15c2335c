import type { JWK } from 'jose';
import mongoose from 'mongoose';

/** A key pair with which special-purpose tokens are signed. */
export interface SigningKey {
  readonly kid: string;
  readonly private_jwk: JWK;
  readonly created: Date;
}

const schema = new mongoose.Schema<SigningKey>(
  {
    kid: { type: String, required: true },
    private_jwk: { type: mongoose.Schema.Types.Mixed, required: true },
    created: { type: Date, required: true },
  },
  { collection: 'signing_keys', versionKey: false, strict: 'throw', strictQuery: 'throw', autoIndex: false },
);
schema.index({ kid: 1 }, { unique: true });

/** Signing keys, shared by all processes of a service. */
export const SigningKeyModel = mongoose.model<SigningKey>('SigningKey', schema);
