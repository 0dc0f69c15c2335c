import mongoose from 'mongoose';

import { collectionOptions } from '../collection-options.ts';

/** Number of apps that an account has tried to register in an hour. */
export interface AppRegistrationCount {
  readonly account_key: string;
  /** Beginning of the hour. */
  readonly hour: Date;
  readonly count: number;
  readonly expires_at: Date;
}

const schema = new mongoose.Schema<AppRegistrationCount>(
  {
    account_key: { type: String, required: true },
    hour: { type: Date, required: true },
    count: { type: Number, required: true },
    expires_at: { type: Date, required: true },
  },
  collectionOptions('app_registration_counts'),
);
schema.index({ account_key: 1, hour: 1 }, { unique: true });
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** Registrations of apps by account and hour, shared by all processes of a service. */
export const AppRegistrationCountModel = mongoose.model<AppRegistrationCount>('AppRegistrationCount', schema);
