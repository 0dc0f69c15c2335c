import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import { connect, type Movement } from '../../../client/live/connect.ts';
import { POSITION_FIELDS, type VehiclePosition } from '../../../client/live/vehicle-position.ts';
import { ask, operation, sessionService } from '../browser/ask.ts';
import { FleetMap } from '../browser/fleet-map.ts';
import { ago, distance } from '../browser/format.ts';
import { pageAddress, pageData } from '../browser/page-data.ts';
import { PageElement } from '../browser/page-element.ts';
import { t } from '../browser/texts.ts';

interface Vehicle {
  readonly key: string;
  readonly nickname: string | null;
  readonly plate_number: string | null;
  readonly vehicle_location: VehiclePosition | null;
  readonly devices: readonly { readonly last_transmission: string | null }[];
}

interface VehiclePage {
  readonly nodes: readonly Vehicle[];
  readonly page_info: { readonly has_next_page: boolean; readonly end_cursor: string | null };
}

const VEHICLES = operation<{ readonly vehicles: VehiclePage }, { readonly after: string | null }>(
  `query ConsoleVehicles($after: String) {
  vehicles(first: 500, after: $after) {
    nodes { key nickname plate_number vehicle_location { ${POSITION_FIELDS} } devices { last_transmission } }
    page_info { has_next_page end_cursor }
  }
}`,
);

const TODAY = operation<
  { readonly trips: { readonly nodes: readonly { readonly vehicle_key: string; readonly distance_meters: number }[] } },
  { readonly started_after: string }
>(`query ConsoleToday($started_after: DateTime!) {
  trips(started_after: $started_after, first: 1000) { nodes { vehicle_key distance_meters } }
}`);

/** Vehicles of which positions are followed. */
const MAX_FOLLOWED = 1000;
/** Interval at which ages and distances are written again, in milliseconds. */
const REFRESH_MS = 30_000;

/** All vehicles, as a list beside a map. */
export class VehiclesPage extends PageElement {
  #vehicles: readonly Vehicle[] = [];
  #meters: ReadonlyMap<string, number> = new Map();
  #search = '';
  #map: FleetMap | null = null;
  #chosen: string | null = null;
  #closed = new AbortController();
  #timer: ReturnType<typeof setInterval> | undefined;

  protected async load(): Promise<void> {
    const vehicles: Vehicle[] = [];
    for (let after: string | null = null, hasMore = true; hasMore; ) {
      const page: VehiclePage = (await ask(VEHICLES, { after })).vehicles;
      vehicles.push(...page.nodes);
      hasMore = page.page_info.has_next_page;
      after = page.page_info.end_cursor;
    }
    this.#vehicles = vehicles;
    await this.#readToday();
    this.#timer = setInterval(() => void this.#readToday().catch(() => undefined), REFRESH_MS);
    const followed = {
      vehicleKeys: vehicles.slice(0, MAX_FOLLOWED).map(({ key }) => key),
      signal: this.#closed.signal,
    };
    const listener = { moved: (movement: Movement) => this.#move(movement) };
    if (vehicles.length > 0) void this.attempt(() => connect(sessionService, listener, followed));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#closed.abort();
    this.#map?.remove();
    this.#map = null;
  }

  protected override actions(): TemplateResult | typeof nothing {
    if (pageData().role !== 'administrator') return nothing;
    return html`<a class="button" href=${pageAddress('/add-vehicle')}>${t.pages['add-vehicle']}</a>`;
  }

  protected content(): TemplateResult {
    if (this.#vehicles.length === 0) {
      return html`<div class="empty">
        <p>${t.vehicles.none}</p>
        ${
          pageData().role === 'administrator'
            ? html`<p><a class="button" href=${pageAddress('/add-vehicle')}>${t.pages['add-vehicle']}</a></p>`
            : nothing
        }
      </div>`;
    }
    const shown = this.#found();
    return html`<div class="fleet">
      <div class="fleet-list">
        <label class="unseen" for="search">${t.vehicles.search}</label>
        <input id="search" type="search" placeholder=${t.vehicles.search} autocomplete="off"
          @input=${(event: Event) => this.#searchFor((event.target as HTMLInputElement).value)} />
        <p class="muted count" role="status">${t.vehicles.count(shown.length)}</p>
        <ul class="rows">${repeat(
          shown,
          ({ key }) => key,
          (vehicle) => this.#row(vehicle),
        )}</ul>
      </div>
      <div class="fleet-map" role="region" aria-label=${t.vehicles.map}></div>
    </div>`;
  }

  protected override updated(): void {
    const container = this.querySelector<HTMLElement>('.fleet-map');
    if (container && !this.#map && container.childElementCount === 0) void this.#openMap(container);
    this.#map?.show(
      this.#found().flatMap(({ key, nickname, vehicle_location: position }) =>
        position ? [{ key, name: nickname ?? '', position }] : [],
      ),
    );
  }

  async #openMap(container: HTMLElement): Promise<void> {
    const place = document.createElement('div');
    container.append(place);
    this.#map = await FleetMap.open(place, (key) => this.#choose(key));
    if (!this.#map) place.textContent = t.vehicles.noMap;
    this.requestUpdate();
  }

  #row({ key, nickname, plate_number, vehicle_location, devices }: Vehicle): TemplateResult {
    const isMoving = vehicle_location?.motion_status === 'moving';
    const seen = vehicle_location?.timestamp ?? devices.map((device) => device.last_transmission).find(Boolean);
    const state = seen ? (isMoving ? t.vehicles.driving : t.vehicles.standing) : t.vehicles.neverSent;
    const meters = this.#meters.get(key) ?? 0;
    return html`<li class=${key === this.#chosen ? 'chosen' : ''} data-key=${key}>
      <a href=${pageAddress('/vehicle', { key })} @focus=${() => this.#center(key)}>
        <span class="dot ${isMoving ? 'moving' : seen ? 'standing' : 'silent'}"></span>
        <span class="name"><strong>${nickname ?? t.vehicles.unnamed}</strong>${plate_number ? html` <span class="muted">${plate_number}</span>` : nothing}</span>
        <span class="state">${state}${seen ? html`, <time datetime=${seen}>${ago(seen)}</time>` : nothing}</span>
        <span class="today">${meters > 0 ? t.vehicles.today(distance(meters)) : nothing}</span>
      </a>
    </li>`;
  }

  #found(): readonly Vehicle[] {
    const words = this.#search.trim().toLowerCase();
    if (words === '') return this.#vehicles;
    return this.#vehicles.filter(({ nickname, plate_number }) =>
      `${nickname ?? ''} ${plate_number ?? ''}`.toLowerCase().includes(words),
    );
  }

  #searchFor(text: string): void {
    this.#search = text;
    this.requestUpdate();
  }

  #choose(key: string): void {
    this.#chosen = key;
    this.requestUpdate();
    const row = this.querySelector(`[data-key="${key}"]`);
    row?.scrollIntoView({ block: 'nearest' });
  }

  #center(key: string): void {
    const position = this.#vehicles.find((vehicle) => vehicle.key === key)?.vehicle_location;
    if (position) this.#map?.center(position);
  }

  #move({ vehicle_key, vehicle_location }: Movement): void {
    this.#vehicles = this.#vehicles.map((vehicle) =>
      vehicle.key === vehicle_key ? { ...vehicle, vehicle_location } : vehicle,
    );
    this.requestUpdate();
  }

  async #readToday(): Promise<void> {
    const midnight = new Date();
    midnight.setHours(0, 0, 0, 0);
    const { trips } = await ask(TODAY, { started_after: midnight.toISOString() }, true);
    const meters = new Map<string, number>();
    for (const { vehicle_key, distance_meters } of trips.nodes) {
      meters.set(vehicle_key, (meters.get(vehicle_key) ?? 0) + distance_meters);
    }
    this.#meters = meters;
    this.requestUpdate();
  }
}

customElements.define('console-vehicles', VehiclesPage);
