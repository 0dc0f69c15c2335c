import type { FastifyRequest } from 'fastify';

import { parseUrl } from '../../schema/parse-url.ts';
import { issuedTripToken } from '../../auth/trip-token.ts';
import type { IssuedToken } from '../../schema/account/issued-token.ts';
import type { Service } from '../../models/store/service.ts';

/** The part of the demonstration's keys from which the page's tokens come. */
export interface DemoGrant {
  readonly complete: boolean;
  readonly account_key: string;
  readonly client_id: string;
  readonly grant_hash: string;
  readonly vehicles: readonly DemoVehicle[];
}

/** A vehicle of the demonstration. */
export interface DemoVehicle {
  readonly key: string;
  readonly nickname: string;
}

/** Issues a token for a vehicle of the demonstration, from the owner's grant to its app; null for any other vehicle. */
export async function demoToken(
  service: Service,
  demo: DemoGrant,
  vehicleKey: unknown,
  { issuer, origin }: { readonly issuer: string; readonly origin: string },
): Promise<IssuedToken | null> {
  const vehicle = demo.vehicles.find(({ key }) => key === vehicleKey);
  if (!vehicle) return null;
  const claims = { sub: `vehicle:${vehicle.key}`, aud: origin, scope: 'loc-past' };
  return issuedTripToken(service, issuer, { ...claims, client_id: demo.client_id, grant: demo.grant_hash });
}

/** Returns true if a request is for the address of the site. */
export function isForSite(request: FastifyRequest, siteOrigin: string): boolean {
  return parseUrl(`https://${request.host}`)?.origin === siteOrigin;
}

/** Returns true if a page of the site sent a request, by `Origin` and `Sec-Fetch-Site` (Fetch Metadata, section 2.4). */
export function isFromSite(request: FastifyRequest, siteOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  return origin === siteOrigin && site === 'same-origin';
}
