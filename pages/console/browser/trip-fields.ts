import { html, nothing, type TemplateResult } from 'lit';

import { t } from './texts.ts';

/** The beginning or the end of a trip. */
export interface End {
  readonly timestamp: string;
  readonly place: { readonly name: string } | null;
  readonly address: { readonly street: string | null; readonly city: string | null } | null;
}

/** A trip in a list. */
export interface Trip {
  readonly key: string;
  readonly distance_meters: number;
  readonly duration_seconds: number;
  readonly start_point: End;
  readonly end_point: End;
  readonly user: Person | null;
}

/** A user by name. */
export interface Person {
  readonly key: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email?: string | null;
}

/** Name of a user, or the e-mail address. */
export function personName({ first_name, last_name, email }: Person): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email || t.people.unnamed;
}

const END_FIELDS = '{ timestamp place { name } address { street city } }';

/** Selection of a {@link Trip}. */
export const TRIP_FIELDS = `key distance_meters duration_seconds start_point ${END_FIELDS} end_point ${END_FIELDS}
      user { key first_name last_name }`;

/** Name of the place of an end, or its address. */
export function placeName({ place, address }: Pick<End, 'place' | 'address'>): string {
  return place?.name ?? ([address?.street, address?.city].filter(Boolean).join(', ') || t.vehicle.unknownPlace);
}

/** Names the sources of the addresses that are shown of some ends, as their licenses require; nothing if none is. */
export function sourcesOf(ends: readonly Pick<End, 'place' | 'address'>[]): TemplateResult | typeof nothing {
  const shown = ends.flatMap(({ place, address }) => (place === null && address !== null ? [address] : []));
  if (shown.length === 0) return nothing;
  return html`<p class="muted">${t.vehicle.sources} <a href="https://www.geonames.org">GeoNames</a>, CC BY 4.0${
    shown.some(({ street }) => street !== null) ? html`; © OpenStreetMap` : nothing
  }</p>`;
}
