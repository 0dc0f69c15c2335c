/** Days for which changes are logged, unless the operator says otherwise. */
export const DEFAULT_CHANGE_LOG_DAYS = 30;
