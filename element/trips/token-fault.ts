import { claimsOf } from './service-token.ts';

/** The reason why the service rejects a token. */
export interface TokenFault {
  readonly reason: string;
  /** true if another token may be had by signing in again; false if the page has to be changed. */
  readonly signInHelps: boolean;
}

/** Finds why the service rejects a token, as far as that is seen from the page: its origin, the vehicle and the time; else null. */
export function tokenFault(token: string, vehicleKey: string, origin: string, now = Date.now()): TokenFault | null {
  const { aud, sub, exp } = claimsOf(token);
  if (typeof aud === 'string' && aud !== origin) {
    const hint =
      aud === origin.replace('http:', 'https:') ? '; open it over https' : `; request a token whose aud is ${origin}`;
    return { reason: `the token is for pages of ${aud}, but this page is from ${origin}${hint}`, signInHelps: false };
  }
  if (typeof sub === 'string' && sub.startsWith('vehicle:') && sub !== `vehicle:${vehicleKey}`) {
    return { reason: `the token is for ${sub}, but vehicle-key is ${vehicleKey}`, signInHelps: false };
  }
  if (typeof exp === 'number' && exp * 1000 <= now) {
    return { reason: `the token expired at ${new Date(exp * 1000).toISOString()}`, signInHelps: true };
  }
  return null;
}
