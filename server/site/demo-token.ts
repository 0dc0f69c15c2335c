import { issuedTripToken } from '../../auth/trip-token.ts';
import type { IssuedToken } from '../../schema/account/issued-token.ts';
import type { DemoKeys } from '../demo/demo-keys.ts';

/** The part of the demonstration's keys from which the page's tokens come. */
export type DemoGrant = Pick<DemoKeys, 'complete' | 'client_id' | 'grant_hash' | 'vehicles'>;

/**
 * A special-purpose token for a vehicle of the demonstration, from the owner's grant to the demonstration's app: such a
 * one as the token endpoint issues, and checked like one at every use.
 *
 * @param issuer `{auth_url}`
 * @param origin the page's
 * @returns null for any other vehicle
 */
export async function demoToken(
  demo: DemoGrant,
  vehicleKey: unknown,
  { issuer, origin }: { readonly issuer: string; readonly origin: string },
): Promise<IssuedToken | null> {
  const vehicle = demo.vehicles.find(({ key }) => key === vehicleKey);
  if (!vehicle) return null;
  const claims = { sub: `vehicle:${vehicle.key}`, aud: origin, scope: 'loc-past' };
  return issuedTripToken(issuer, { ...claims, client_id: demo.client_id, grant: demo.grant_hash });
}
