/** Path of the security page below `{auth_url}`. */
export const SECURITY_PATH = '/security';

/** Path to which a reset link leads, with `?token=`. */
export const RESET_PATH = '/security/reset';
