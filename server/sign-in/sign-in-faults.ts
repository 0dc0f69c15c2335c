/** Why nobody was signed in; it does not tell whether there is such an address. */
export const WRONG_SIGN_IN = 'E-mail address or password is wrong. Please try again.';

/** Why nobody may try for a while. */
export function lockedFault(retryAfterSeconds: number): string {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`;
}
