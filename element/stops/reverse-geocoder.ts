/** A readable address (specification, section E, rule 4). */
export interface Address {
  readonly street: string;
  readonly city: string;
  readonly state: string;
}

/** Replaces the provider's geocoder: resolves to the address of a position. */
export type ReverseGeocodeHandler = (longitude: number, latitude: number) => Promise<Address>;

/** Access to the provider's geocoder. */
export interface GeocodingProvider {
  readonly providerUrl: string;
  readonly accessToken: string | null;
  readonly locale: string;
}

interface Feature {
  readonly properties?: {
    readonly name?: string;
    readonly feature_type?: string;
    readonly context?: Record<string, { readonly name?: string } | undefined>;
  };
}

/**
 * Looks up the address at a position with the provider's API; null if it knows none.
 *
 * @throws Error if that fails
 */
export async function providerAddress(
  longitude: number,
  latitude: number,
  { providerUrl, accessToken, locale }: GeocodingProvider,
): Promise<Address | null> {
  if (accessToken === null) throw new Error('The map-provider-access-token attribute is missing');
  const query = new URLSearchParams({
    longitude: String(longitude),
    latitude: String(latitude),
    types: 'address,street,place',
    access_token: accessToken,
    language: locale,
  });
  const response = await fetch(`${providerUrl}/search/geocode/v6/reverse?${query}`, { credentials: 'omit' });
  if (!response.ok) throw new Error(`The geocoder answered with status ${response.status}`);
  const { features } = (await response.json()) as { features?: readonly Feature[] };
  const found = features?.[0]?.properties;
  if (!found) return null;
  const { context = {}, feature_type: type, name = '' } = found;
  const address = {
    street: type === 'address' || type === 'street' ? name : (context.street?.name ?? ''),
    city: type === 'place' ? name : (context.place?.name ?? context.locality?.name ?? ''),
    state: context.region?.name ?? '',
  };
  return addressText(address) ? address : null;
}

/** Formats an address on one line, without its empty parts. */
export function addressText({ street, city, state }: Address): string {
  return [street, city, state].filter(Boolean).join(', ');
}
