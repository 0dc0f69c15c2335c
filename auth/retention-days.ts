/** Days that an event of an account's security log is kept, unless the operator says otherwise. */
export const DEFAULT_RETENTION_DAYS = 400;
