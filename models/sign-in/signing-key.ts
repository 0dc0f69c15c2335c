import mongoose from 'mongoose';

import { collectionOptions } from '../collection-options.ts';

/** A key pair with which special-purpose tokens are signed. */
export interface SigningKey {
  readonly kid: string;
  /** The private JWK: as JSON, or encrypted by the operator's secret as a compact JWE (RFC 7516, section 3.1). */
  readonly private_key: string;
  readonly created: Date;
}

const schema = new mongoose.Schema<SigningKey>(
  {
    kid: { type: String, required: true },
    private_key: { type: String, required: true },
    created: { type: Date, required: true },
  },
  collectionOptions('signing_keys'),
);
schema.index({ kid: 1 }, { unique: true });

/** Signing keys, shared by all processes of a service. */
export const SigningKeyModel = mongoose.model<SigningKey>('SigningKey', schema);
