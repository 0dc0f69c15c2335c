import { storeOf } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';

/** Number of apps that an account has tried to register in an hour, shared by all processes of a service. */
export const AppRegistrationCountStore = storeOf('AppRegistrationCount', {
  collection: 'app_registration_counts',
  tenancy: null,
  hidden: {
    account_key: required(String),
    /** Beginning of the hour. */
    hour: required(Date),
    count: required(Number),
    expires_at: required(Date),
  },
  indexes: [
    [{ account_key: 1, hour: 1 }, { unique: true }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});
