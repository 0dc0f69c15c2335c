import { html, nothing, type TemplateResult } from 'lit';

import type { Tag as FullTag } from '../../../schema/account/tag.ts';
import type { TripInput } from '../../../schema/trips/trip-input.ts';
import type { Trip as FullTrip } from '../../../schema/trips/trip.ts';
import { ask, operation } from '../browser/ask.ts';
import { choiceField, onSubmit } from '../browser/form.ts';
import { distance, duration, moment, speed } from '../browser/format.ts';
import { pageAddress, pageData, parameter } from '../browser/page-data.ts';
import { PageElement } from '../browser/page-element.ts';
import { saveGpx } from '../browser/save-gpx.ts';
import { t } from '../browser/texts.ts';
import { toast } from '../browser/toast.ts';
import { tripMap } from '../browser/trip-map.ts';
import { type Person, personName, placeName, sourcesOf, type Trip, TRIP_FIELDS } from '../browser/trip-fields.ts';
import { type ByKey, change, type Shown } from '../records/records.ts';

type Tag = Shown<FullTag, 'key value'>;

interface WholeTrip extends Trip, Shown<FullTrip, 'vehicle_key max_speed'> {
  readonly vehicle: { readonly nickname: string | null } | null;
  readonly tags: readonly Tag[];
}

interface TripView {
  readonly trip: WholeTrip | null;
  readonly users: { readonly nodes: readonly Person[] };
  readonly tags: { readonly nodes: readonly Tag[] };
}

const TRIP = operation<TripView, { readonly key: string }>(
  `query ConsoleTrip($key: String!) {
  trip(key: $key) { ${TRIP_FIELDS} vehicle_key max_speed vehicle { nickname } tags { key value } }
  users(first: 200) { nodes { key first_name last_name } }
  tags(type: Trip, first: 200) { nodes { key value } }
}`,
);

const updateTrip = change<ByKey & { readonly input: TripInput }>('updateTrip(key: String!, input: TripInput!) { key }');

/** A trip: its map with a replay, its driver and tags, and a link for others. */
export class TripPage extends PageElement {
  #view: TripView | null = null;

  protected async load(): Promise<void> {
    this.#view = await ask(TRIP, { key: parameter('key') });
    const { trip } = this.#view;
    this.setHeading(trip ? `${placeName(trip.start_point)} – ${placeName(trip.end_point)}` : t.trip.unknown);
  }

  protected override actions(): TemplateResult | typeof nothing {
    const trip = this.#view?.trip;
    if (!trip) return nothing;
    const { key } = trip;
    return html`<button class="button quiet" type="button" @click=${() => this.attempt(() => saveGpx(key))}>${t.trip.export}</button>
      ${
        this.#mayChange
          ? html`<a class="button" href=${pageAddress('/sharing', { trip: key })}>${t.trip.share}</a>`
          : nothing
      }`;
  }

  get #mayChange(): boolean {
    return pageData().role === 'administrator';
  }

  protected content(): TemplateResult {
    const trip = this.#view?.trip;
    if (!trip) return html`<div class="empty"><p>${t.trip.unknownLead}</p></div>`;
    const { max_speed } = trip;
    return html`<div class="day-map wide" role="region" aria-label=${t.trip.map}></div>
      <div class="columns">
        <section class="card">
          <dl class="facts">
            <dt>${t.trip.vehicle}</dt>
            <dd><a href=${pageAddress('/vehicle', { key: trip.vehicle_key })}>${trip.vehicle?.nickname ?? t.vehicles.unnamed}</a></dd>
            <dt>${t.trip.began}</dt><dd>${moment(trip.start_point.timestamp)}</dd>
            <dt>${t.trip.ended}</dt><dd>${moment(trip.end_point.timestamp)}</dd>
            <dt>${t.trip.distance}</dt><dd>${distance(trip.distance_meters)}</dd>
            <dt>${t.trip.duration}</dt><dd>${duration(trip.duration_seconds)}</dd>
            ${max_speed === null ? nothing : html`<dt>${t.trip.maxSpeed}</dt><dd>${speed(max_speed)}</dd>`}
            ${
              this.#mayChange
                ? nothing
                : html`<dt>${t.trip.driver}</dt><dd>${trip.user ? personName(trip.user) : t.trip.noDriver}</dd>
                  <dt>${t.trip.tags}</dt><dd>${trip.tags.map(({ value }) => value).join(', ') || '–'}</dd>`
            }
          </dl>
          ${sourcesOf([trip.start_point, trip.end_point])}
        </section>
        ${this.#mayChange ? this.#form(trip) : nothing}
      </div>`;
  }

  #form({ key, user, tags }: WholeTrip): TemplateResult {
    const { nodes: people = [] } = this.#view?.users ?? {};
    const { nodes: all = [] } = this.#view?.tags ?? {};
    const set = new Set(tags.map((tag) => tag.key));
    const drivers = people.map((person) => [person.key, personName(person)] as const);
    const save = (fields: Readonly<Record<string, string>>): Promise<boolean> =>
      this.attempt(async () => {
        const input = {
          user_key: fields.driver || null,
          tags: all.map((tag) => tag.key).filter((tag) => fields[`tag-${tag}`] === 'on'),
        };
        await updateTrip({ key, input });
        toast(t.saved);
      });
    return html`<section class="card">
      <form @submit=${onSubmit(save)}>
        ${choiceField({ name: 'driver', label: t.trip.driver, value: user?.key ?? '' }, [['', t.trip.noDriver], ...drivers])}
        <fieldset class="tag-choices">
          <legend>${t.trip.tags}</legend>
          ${all.map(
            (tag) =>
              html`<label class="scope"><input type="checkbox" name="tag-${tag.key}" ?checked=${set.has(tag.key)} />${tag.value}</label>`,
          )}
          ${all.length === 0 ? html`<p class="muted">${t.trip.noTags}</p>` : nothing}
        </fieldset>
        <div class="choices"><button class="button" type="submit">${t.save}</button></div>
      </form>
    </section>`;
  }

  protected override updated(): void {
    const place = this.querySelector<HTMLElement>('.day-map');
    const trip = this.#view?.trip;
    if (place && trip && place.dataset.opened === undefined) void this.#openMap(place, trip);
  }

  async #openMap(place: HTMLElement, { key, vehicle_key }: WholeTrip): Promise<void> {
    place.dataset.opened = '';
    place.append(await tripMap({ 'vehicle-key': vehicle_key, 'trip-key': key, 'color-by': 'speed' }));
  }
}

customElements.define('console-trip', TripPage);
