import { html, nothing, type TemplateResult } from 'lit';

import type { Event } from '../../../schema/events/event.ts';
import type { Stay as FullStay } from '../../../schema/trips/stay.ts';
import type { Device as FullDevice } from '../../../schema/vehicles/device.ts';
import type { IngestRejection } from '../../../schema/vehicles/ingest-rejection.ts';
import type { Vehicle as FullVehicle } from '../../../schema/vehicles/vehicle.ts';

import { ask, operation } from '../browser/ask.ts';
import { confirmed, openDialog } from '../browser/dialog.ts';
import { onSubmit, textField } from '../browser/form.ts';
import { ago, dayName, distance, duration, moment, timeOfDay } from '../browser/format.ts';
import { table } from '../browser/list.ts';
import { type Day, dayOf, monthCalendar, startOf } from '../browser/month-calendar.ts';
import { pageAddress, pageData, parameter } from '../browser/page-data.ts';
import '../records/import-file.ts';
import { PageElement } from '../browser/page-element.ts';
import { t } from '../browser/texts.ts';
import { toast } from '../browser/toast.ts';
import { type End, personName, placeName, sourcesOf, type Trip, TRIP_FIELDS } from '../browser/trip-fields.ts';
import { type ByKey, change, type Shown } from '../records/records.ts';
import { setAttributes, tripMap } from '../browser/trip-map.ts';
import { POSITION_FIELDS, type VehiclePosition } from '../../../client/live/vehicle-position.ts';

type Rejection = Shown<IngestRejection, 'key reason outcome detail count last_received'>;

interface Device extends Shown<FullDevice, 'key serial last_transmission'> {
  readonly recent_rejections: readonly Rejection[] | null;
}

interface Vehicle extends Shown<FullVehicle, 'key nickname plate_number'> {
  readonly vehicle_location: VehiclePosition | null;
  readonly devices: readonly Device[];
}

interface Stay extends Shown<FullStay, 'key start_timestamp end_timestamp duration_seconds'> {
  readonly address: End['address'];
}

type VehicleEvent = Shown<Event, 'key event timestamp'>;

interface Span {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

interface DayView {
  readonly trips: { readonly nodes: readonly Trip[] };
  readonly stays: { readonly nodes: readonly Stay[] };
  readonly events: { readonly nodes: readonly VehicleEvent[] };
}

interface MonthView {
  readonly trips: { readonly nodes: readonly { readonly start_point: { readonly timestamp: string } }[] };
}

const VEHICLE = operation<{ readonly vehicle: Vehicle | null }, { readonly key: string }>(
  `query ConsoleVehicle($key: String!) {
  vehicle(key: $key) {
    key nickname plate_number vehicle_location { ${POSITION_FIELDS} }
    devices { key serial last_transmission recent_rejections { key reason outcome detail count last_received } }
  }
}`,
);

const MONTH = operation<MonthView, Span>(`query ConsoleMonth($key: String!, $from: DateTime!, $to: DateTime!) {
  trips(vehicle_key: $key, started_after: $from, started_before: $to, first: 1000) {
    nodes { start_point { timestamp } }
  }
}`);

const NEWEST = operation<MonthView, { readonly key: string }>(`query ConsoleNewest($key: String!) {
  trips(vehicle_key: $key, newest_first: true, first: 1) { nodes { start_point { timestamp } } }
}`);

const DAY = operation<DayView, Span & { readonly since: string; readonly until: string }>(
  `query ConsoleDay($key: String!, $from: DateTime!, $to: DateTime!, $since: DateTime, $until: DateTime) {
  trips(vehicle_key: $key, started_after: $from, started_before: $to, first: 100) {
    nodes { ${TRIP_FIELDS} }
  }
  stays(vehicle_key: $key, started_after: $since, started_before: $until, first: 100) {
    nodes { key start_timestamp end_timestamp duration_seconds address { street city } }
  }
  events(vehicle_key: $key, happened_after: $since, happened_before: $until, first: 100) {
    nodes { key event timestamp }
  }
}`,
);

const updateVehicle = change<ByKey & { readonly input: Pick<Vehicle, 'nickname' | 'plate_number'> }>(
  'updateVehicle(key: String!, input: VehicleInput!) { key }',
);
const deleteVehicle = change<ByKey>('deleteVehicle(key: String!) { key }');

/** A vehicle: its days with trips, stays and events beside the map, and its devices with what they sent in vain. */
export class VehiclePage extends PageElement {
  #vehicle: Vehicle | null = null;
  #day: Day = parameter('day') || dayOf(new Date());
  #counts: ReadonlyMap<Day, number> = new Map();
  #shown: DayView | null = null;
  #map: HTMLElement | null = null;

  protected async load(): Promise<void> {
    const { vehicle } = await ask(VEHICLE, { key: parameter('key') });
    this.#vehicle = vehicle;
    if (!vehicle) return this.setHeading(t.vehicle.unknown);
    this.setHeading(vehicle.nickname ?? t.vehicles.unnamed);
    const seen = vehicle.vehicle_location?.timestamp;
    if (parameter('day') === '' && seen) this.#day = dayOf(seen);
    await this.#readDay();
  }

  async #readDay(): Promise<void> {
    const key = this.#vehicle?.key ?? '';
    const chosen = startOf(this.#day);
    const [year, month] = [chosen.getFullYear(), chosen.getMonth()];
    const span = (from: Date, to: Date): Span => ({ key, from: from.toISOString(), to: to.toISOString() });
    const ofDay = span(chosen, startOf(this.#day, 1));
    const [counted, shown] = await Promise.all([
      ask(MONTH, span(new Date(year, month, 1), new Date(year, month + 1, 1)), true),
      ask(DAY, { ...ofDay, since: ofDay.from, until: ofDay.to }),
    ]);
    const counts = new Map<Day, number>();
    for (const { start_point } of counted.trips.nodes) {
      const day = dayOf(start_point.timestamp);
      counts.set(day, (counts.get(day) ?? 0) + 1);
    }
    this.#counts = counts;
    this.#shown = shown;
  }

  #choose(day: Day): Promise<void> {
    this.#day = day;
    history.replaceState(null, '', pageAddress('/vehicle', { key: this.#vehicle?.key ?? '', day }));
    return this.#readDay();
  }

  /** Shows the day of the newest trip. */
  async #showNewest({ key }: Vehicle): Promise<void> {
    const [newest] = (await ask(NEWEST, { key }, true)).trips.nodes;
    if (newest) await this.#choose(dayOf(newest.start_point.timestamp));
  }

  protected override actions(): TemplateResult | typeof nothing {
    if (!this.#vehicle || pageData().role !== 'administrator') return nothing;
    return html`<button class="button quiet" type="button" @click=${() => this.#edit()}>${t.vehicle.edit}</button>`;
  }

  protected content(): TemplateResult {
    const vehicle = this.#vehicle;
    if (!vehicle) return html`<div class="empty"><p>${t.vehicle.unknownLead}</p></div>`;
    return html`${this.#state(vehicle)}
      <div class="day">
        <div class="day-side">
          <section class="card">${monthCalendar({ day: this.#day, counts: this.#counts, choose: (day) => this.attempt(() => this.#choose(day)) })}</section>
        </div>
        <div class="day-map" role="region" aria-label=${t.vehicle.map}></div>
      </div>
      <section aria-labelledby="day"><h2 id="day">${dayName(startOf(this.#day))}</h2>${this.#shown ? this.#dayLists(this.#shown) : nothing}</section>
      <section aria-labelledby="devices"><h2 id="devices">${t.vehicle.devices}</h2>${this.#devices(vehicle)}</section>
      ${
        pageData().role === 'administrator'
          ? html`<details class="more">
            <summary>${t.import.title}</summary>
            <import-file vehicle-key=${vehicle.key} @imported=${() => this.attempt(() => this.#showNewest(vehicle))}></import-file>
          </details>`
          : nothing
      }`;
  }

  #state({ plate_number, vehicle_location: at, devices }: Vehicle): TemplateResult {
    const isMoving = at?.motion_status === 'moving';
    const seen = at?.timestamp ?? devices.map((device) => device.last_transmission).find(Boolean);
    const state = seen ? (isMoving ? t.vehicles.driving : t.vehicles.standing) : t.vehicles.neverSent;
    return html`<p class="connection">
      <span class="dot ${isMoving ? 'moving' : seen ? 'standing' : 'silent'}"></span>
      <span>${state}${seen ? html`, <time datetime=${seen}>${ago(seen)}</time>` : nothing}${plate_number ? ` · ${plate_number}` : nothing}</span>
    </p>`;
  }

  #dayLists({ trips, stays, events }: DayView): TemplateResult {
    const meters = trips.nodes.reduce((sum, trip) => sum + trip.distance_meters, 0);
    const { at, from, to, length, lasted, driver } = t.vehicle.columns;
    return html`<p class="muted">${t.vehicle.trips(trips.nodes.length)}${meters > 0 ? `, ${distance(meters)}` : nothing}</p>
      ${table(
        t.vehicle.tripList,
        [
          {
            title: at,
            cell: ({ key, start_point, end_point }) =>
              html`<a href=${pageAddress('/trip', { key })}>${timeOfDay(start_point.timestamp)} – ${timeOfDay(end_point.timestamp)}</a>`,
          },
          { title: from, cell: ({ start_point }) => placeName(start_point) },
          { title: to, cell: ({ end_point }) => placeName(end_point) },
          { title: driver, cell: ({ user }) => (user ? personName(user) : '–') },
          { title: length, cell: (trip) => distance(trip.distance_meters), isNumber: true },
          { title: lasted, cell: (trip) => duration(trip.duration_seconds), isNumber: true },
        ],
        trips.nodes,
        ({ key }) => key,
        html`<p>${t.vehicle.noTrips}</p>`,
      )}
      ${sourcesOf([
        ...trips.nodes.flatMap(({ start_point, end_point }) => [start_point, end_point]),
        ...stays.nodes.map(({ address }) => ({ place: null, address })),
      ])}
      ${
        stays.nodes.length > 0
          ? html`<details class="more"><summary>${t.vehicle.stays(stays.nodes.length)}</summary>${table(
              t.vehicle.stays(stays.nodes.length),
              [
                {
                  title: at,
                  cell: ({ start_timestamp: start, end_timestamp: end }) =>
                    `${timeOfDay(start)} – ${end ? timeOfDay(end) : ''}`,
                },
                { title: t.vehicle.columns.where, cell: ({ address }) => placeName({ place: null, address }) },
                {
                  title: lasted,
                  cell: ({ duration_seconds: seconds }) => (seconds === null ? '–' : duration(seconds)),
                  isNumber: true,
                },
              ],
              stays.nodes,
              ({ key }) => key,
              nothing,
            )}</details>`
          : nothing
      }
      ${
        events.nodes.length > 0
          ? html`<details class="more"><summary>${t.vehicle.events(events.nodes.length)}</summary>${table(
              t.vehicle.events(events.nodes.length),
              [
                { title: at, cell: ({ timestamp }) => timeOfDay(timestamp) },
                { title: t.vehicle.columns.event, cell: ({ event }) => t.events[event] },
              ],
              events.nodes,
              ({ key }) => key,
              nothing,
            )}</details>`
          : nothing
      }`;
  }

  #devices({ devices }: Vehicle): TemplateResult {
    return html`${devices.map(
      ({ serial, last_transmission, recent_rejections }) => html`<article class="card device">
        <h3>${t.devices.serial} ${serial}</h3>
        <p class="muted">${last_transmission ? html`${t.vehicle.lastSent} <time datetime=${last_transmission}>${ago(last_transmission)}</time>` : t.vehicles.neverSent}</p>
        ${rejections(
          t.vehicle.rejected,
          recent_rejections?.filter(({ outcome }) => outcome !== 'marked'),
        )}
        ${rejections(
          t.vehicle.marked,
          recent_rejections?.filter(({ outcome }) => outcome === 'marked'),
        )}
      </article>`,
    )}
    ${devices.length === 0 ? html`<div class="empty"><p>${t.vehicle.noDevices}</p></div>` : nothing}`;
  }

  protected override updated(): void {
    const place = this.querySelector<HTMLElement>('.day-map');
    if (!place || !this.#vehicle) return;
    if (this.#map) setAttributes(this.#map, this.#mapAttributes(this.#vehicle));
    else if (place.dataset.opened === undefined) void this.#openMap(place, this.#vehicle);
  }

  async #openMap(place: HTMLElement, vehicle: Vehicle): Promise<void> {
    place.dataset.opened = '';
    this.#map = await tripMap(this.#mapAttributes(vehicle));
    place.append(this.#map);
  }

  #mapAttributes({ key }: Vehicle): Readonly<Record<string, string | null>> {
    return {
      'vehicle-key': key,
      'started-after': startOf(this.#day).toISOString(),
      'started-before': startOf(this.#day, 1).toISOString(),
      'color-by': 'speed',
      live: this.#day === dayOf(new Date()) ? '' : null,
    };
  }

  #edit(): void {
    const vehicle = this.#vehicle;
    if (!vehicle) return;
    const { nickname, plate_number, key } = vehicle;
    const save = async (fields: Readonly<Record<string, string>>): Promise<void> => {
      const input = { nickname: fields.nickname ?? '', plate_number: fields.plate_number || null };
      const isSaved = await this.attempt(async () => {
        await updateVehicle({ key, input });
        await this.load();
      });
      close();
      if (isSaved) toast(t.saved);
    };
    const close = openDialog(
      t.vehicle.edit,
      html`<form @submit=${onSubmit(save)}>
        ${textField({ name: 'nickname', label: t.add.name, value: nickname ?? '', isRequired: true, maxLength: 255 })}
        ${textField({ name: 'plate_number', label: t.vehicle.plate, value: plate_number ?? '', maxLength: 255 })}
        <div class="choices">
          <button class="button" type="submit">${t.save}</button>
          <button class="button danger" type="button" @click=${() => this.#delete(vehicle, () => close())}>${t.vehicle.delete}</button>
        </div>
      </form>`,
    );
  }

  async #delete({ key, nickname }: Vehicle, closeForm: () => void): Promise<void> {
    closeForm();
    if (!(await confirmed(t.vehicle.delete, t.vehicle.deleteLead(nickname ?? ''), t.vehicle.delete))) return;
    if (await this.attempt(() => deleteVehicle({ key }))) location.assign(pageAddress(''));
  }
}

customElements.define('console-vehicle', VehiclePage);

function rejections(title: string, found: readonly Rejection[] = []): TemplateResult | typeof nothing {
  if (found.length === 0) return nothing;
  return html`<h4>${title}</h4>
    <ul class="rejections">${found.map(
      ({ reason, detail, count, last_received }) => html`<li>
        <p>${t.rejections[reason]} <span class="badge">${count}</span> <span class="muted">${moment(last_received)}</span></p>
        <details class="muted"><summary>${t.webhooks.details}</summary><code>${reason}</code>: <span lang="en">${detail}</span></details>
      </li>`,
    )}</ul>`;
}
