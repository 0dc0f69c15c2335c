import { html, nothing, type TemplateResult } from 'lit';

import { swatch } from '../styles/swatch.ts';
import { type Strings, stringsFor } from '../trips/strings.ts';
import type { TripFormat } from '../trips/trip-format.ts';
import type { FollowedVehicle } from './followed-vehicle.ts';

/** Contents and callbacks of the panel. */
interface LivePanelView {
  readonly vehicles: readonly FollowedVehicle[];
  /** Key of the vehicle that the reader has chosen among several. */
  readonly chosen: string | null;
  readonly isLive: boolean;
  readonly follows: boolean;
  /** Text by which the reader looks for vehicles. */
  readonly search: string;
  readonly format: TripFormat;
  choose(key: string | null): void;
  searchFor(text: string): void;
  follow(): void;
}

/** Number of vehicles from which they can be searched. */
const MANY = 8;

/** Renders how old the newest position of each vehicle is, a list to choose from, and a button to follow them again. */
export function livePanel(view: LivePanelView): TemplateResult {
  const { vehicles, follows, isLive, format, search } = view;
  const strings = stringsFor(format.locale);
  const now = Date.now();
  const [only] = vehicles;
  const offers = isLive && !follows && vehicles.some((vehicle) => vehicle.newest !== null);
  const sought = vehicles.length < MANY ? '' : search.toLocaleLowerCase();
  const found = vehicles.filter(({ label }) => (label ?? '').toLocaleLowerCase().includes(sought));
  const isSingle = vehicles.length === 1 && only?.label === null;
  return html`${
    isSingle && only
      ? age(stateOf(only, now), ageOf(only, now, format, strings))
      : vehicles.length === 0
        ? age('unconnected', strings.awaiting)
        : html`${vehicles.length < MANY ? nothing : searchField(view, strings)}<ul aria-label=${strings.vehicles}>${found.map((vehicle) => row(vehicle, now, view, strings))}</ul>`
  }${
    offers
      ? html`<button type="button" class="follow" @click=${() => view.follow()}><svg viewBox="0 0 16 16" width="15" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" aria-hidden="true"><path d="M8 1v3m0 8v3M1 8h3m8 0h3" /><circle cx="8" cy="8" r="4" /></svg>${strings.follow}</button>`
      : nothing
  }`;
}

function age(state: string, text: string): TemplateResult {
  return html`<p part="live-age" class="age ${state}"><i></i><bdi>${text}</bdi></p>`;
}

function searchField({ search, searchFor }: LivePanelView, strings: Strings): TemplateResult {
  return html`<input type="search" aria-label=${strings.search} placeholder=${strings.search} .value=${search} @input=${(event: Event) => searchFor((event.target as HTMLInputElement).value)} />`;
}

function row(vehicle: FollowedVehicle, now: number, view: LivePanelView, strings: Strings): TemplateResult {
  const { key, label, state } = vehicle;
  const { chosen, isLive, format } = view;
  const age = isLive || state === 'refused' ? ageOf(vehicle, now, format, strings) : '';
  return html`<li><button type="button" part="live-vehicle" data-key=${key} aria-pressed=${chosen === key} ?disabled=${state === 'refused'}
    @click=${() => view.choose(chosen === key ? null : key)}>
    ${swatch(vehicle.colorAt(now))}<b><bdi>${label}</bdi></b><span class="age ${stateOf(vehicle, now)}">${age && html`<bdi>${age}</bdi>`}</span>
  </button></li>`;
}

/** Returns the class of a vehicle's state. */
function stateOf(vehicle: FollowedVehicle, now: number): string {
  if (vehicle.state !== 'connected') return 'unconnected';
  return vehicle.isOffline(now) ? 'offline' : 'fresh';
}

function ageOf(vehicle: FollowedVehicle, now: number, format: TripFormat, strings: Strings): string {
  const { time, state } = vehicle;
  if (state === 'refused') return strings.noAccess;
  if (time === null) return state === 'interrupted' ? strings.reconnecting : strings.awaiting;
  if (vehicle.isOffline(now)) return strings.offlineSince.replace('{time}', format.moment(time, vehicle.timeZone));
  const age = format.age(now - time);
  if (state !== 'connected') return `${strings.reconnecting} · ${age}`;
  const isMoving = vehicle.motionAt(now) === 'moving';
  return `${vehicle.color === null ? (isMoving ? strings.moving : strings.stopped) : strings.live} · ${age}`;
}
