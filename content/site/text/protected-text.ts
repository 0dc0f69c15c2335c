/** Stands in place of a text that a password protects. */
export const PROTECTED_TEXT = 'This text is protected by a password.';
