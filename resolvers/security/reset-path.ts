/** Path to which a reset link leads, with `?token=`, below `{auth_url}`. */
export const RESET_PATH = '/security/reset';
