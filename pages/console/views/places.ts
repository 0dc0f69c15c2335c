import { html, nothing, type TemplateResult } from 'lit';

import type { Place as FullPlace } from '../../../schema/places/place.ts';
import type { PrivacyZone, ZoneTrips } from '../../../schema/vehicles/privacy-zone.ts';
import type { Area, Point } from '../places/area.ts';
import { areaFields, areaOf } from '../places/area-fields.ts';
import type { AreaMap } from '../places/area-map.ts';
import { checkField, choiceField, type Fields, textField } from '../browser/form.ts';
import { type ByKey, change, query, RecordList, type Shown } from '../records/records.ts';
import { type Action, RecordsPage } from '../records/records-page.ts';
import { t } from '../browser/texts.ts';
import { zonePicture } from '../places/zone-picture.ts';

type Place = Shown<FullPlace, 'key name category point radius polygon notifying_arrival notifying_departure'>;

interface Zone extends Shown<PrivacyZone, 'key name point trips'> {
  readonly radius: number;
}

type PlaceInput = Partial<Omit<Place, 'key' | 'point' | 'radius' | 'polygon'>> & Area;
type ZoneInput = Pick<Zone, 'point' | 'radius'> & Partial<Pick<Zone, 'name' | 'trips'>>;

const createPlace = change<{ readonly input: PlaceInput }>('createPlace(input: PlaceInput!) { key }');
const updatePlace = change<ByKey & { readonly input: PlaceInput }>(
  'updatePlace(key: String!, input: PlaceInput!) { key }',
);
const deletePlace = change<ByKey>('deletePlace(key: String!) { key }');
const createPrivacyZone = change<{ readonly input: ZoneInput }>('createPrivacyZone(input: PrivacyZoneInput!) { key }');
const updatePrivacyZone = change<ByKey & { readonly input: ZoneInput }>(
  'updatePrivacyZone(key: String!, input: PrivacyZoneChange!) { key }',
);
const removePrivacyZone = change<ByKey>('removePrivacyZone(key: String!) { key }');
const readPositions = query<
  { readonly nodes: readonly { readonly vehicle_location: { readonly point: Point } | null }[] },
  { readonly first: number }
>('vehicles(first: Int) { nodes { vehicle_location { point { lat lon } } } }');

/** Places and privacy zones, which are drawn on a map or written as numbers. */
export class PlacesPage extends RecordsPage {
  #map: AreaMap | null = null;
  /** Ends when the map is there, or cannot be. */
  #opening: Promise<void> | null = null;
  #positions: readonly Point[] = [];
  /** Text for the reader who is drawing; null if nobody is. */
  #hint: string | null = null;
  readonly #places = new RecordList<Place>(
    `places {
      key name category point { lat lon } radius polygon { lat lon } notifying_arrival notifying_departure
    }`,
  );
  readonly #zones = new RecordList<Zone>('privacyZones { key name point { lat lon } radius trips }');

  protected async load(): Promise<void> {
    if (!this.isLoaded) {
      const { nodes } = await readPositions({ first: 50 });
      this.#positions = nodes.flatMap(({ vehicle_location }) => (vehicle_location ? [vehicle_location.point] : []));
    }
    await this.#zones.read({});
    await this.#places.read({});
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#map?.remove();
  }

  protected override updated(): void {
    const container = this.querySelector<HTMLElement>('.area-map');
    if (container) this.#opening ??= this.#openMap(container);
    this.#showAreas();
  }

  async #openMap(container: HTMLElement): Promise<void> {
    const element = document.createElement('div');
    container.append(element);
    const { AreaMap } = await import('../places/area-map.ts');
    this.#map = await AreaMap.open(element);
    if (this.#map) this.#showAreas();
    else container.textContent = t.vehicles.noMap;
  }

  #showAreas(): void {
    const places = this.#places.rows.map((place) => ({ ...place, kind: 'place' as const, area: areaOfPlace(place) }));
    const zones = this.#zones.rows.map((zone) => ({
      key: zone.key,
      name: zone.name ?? t.zones.unnamed,
      kind: 'zone' as const,
      area: { point: zone.point, radius: zone.radius },
    }));
    this.#map?.show([...places, ...zones], this.#positions);
  }

  protected content(): TemplateResult {
    const { draw, circle, polygon, zone, write, map: mapName, stop } = t.places;
    const button = (label: string, run: () => void): TemplateResult =>
      html`<button class="button quiet compact" type="button" @click=${run}>${label}</button>`;
    return html`<div class="drawing">
        <div class="choices" role="group" aria-label=${draw}>
          ${button(circle, () => this.#draw('circle', (area) => this.#addPlace(area)))}
          ${button(polygon, () => this.#draw('polygon', (area) => this.#addPlace(area)))}
          ${button(zone, () => this.#draw('circle', (area) => this.#addZone(area)))}
          ${button(write, () => this.#addPlace(null))}
        </div>
        <p class="muted" role="status">
          ${this.#hint}${this.#hint === null ? nothing : html` ${button(stop, () => this.#stopDrawing())}`}
        </p>
        <div class="area-map" role="region" aria-label=${mapName}></div>
      </div>
      ${this.#placeList()} ${this.#zoneList()}`;
  }

  async #draw(shape: 'circle' | 'polygon', finished: (area: Area) => void): Promise<void> {
    await this.#opening;
    if (!this.#map) {
      finished(shape === 'circle' ? { point: { lat: 0, lon: 0 }, radius: 150 } : { polygon: [] });
      return;
    }
    this.#hint = t.places.hints[shape];
    this.#map.draw(shape, (area) => {
      this.#stopDrawing();
      finished(area);
    });
    this.requestUpdate();
    this.querySelector('.area-map')?.scrollIntoView({ block: 'nearest' });
  }

  #stopDrawing(): void {
    this.#map?.stop();
    this.#hint = null;
    this.requestUpdate();
  }

  #placeList(): TemplateResult {
    const { title, lead, name, category, categories, notifies, notified, empty } = t.places;
    return this.section<Place>({
      title,
      lead,
      list: this.#places,
      nameOf: (place) => place.name,
      empty,
      columns: [
        { title: name, cell: (place) => this.#onMap(place.name, areaOfPlace(place)) },
        { title: category, cell: (place) => categories[place.category] },
        { title: notifies, cell: (place) => notified(place.notifying_arrival, place.notifying_departure) },
      ],
      actions: (place) => this.#placeActions(place),
    });
  }

  #onMap(name: string, area: Area): TemplateResult {
    return html`<button class="link" type="button" @click=${() => this.#map?.center(area)}><strong>${name}</strong></button>`;
  }

  #placeActions(place: Place): readonly Action[] {
    const { redraw, remove, removeText } = t.places;
    const { key, name } = place;
    const shape = place.point ? 'circle' : 'polygon';
    const save = (area: Area): Promise<void> => this.act(() => updatePlace({ key, input: area }), t.saved);
    return [
      { label: t.records.edit, run: () => this.#changePlace(place) },
      { label: redraw, run: () => this.#draw(shape, save) },
      this.removal(remove, name, removeText, () => deletePlace({ key })),
    ];
  }

  #addPlace(area: Area | null): void {
    const save = (fields: Fields) => createPlace({ input: placeOf(fields) });
    this.edit({ title: t.places.add, submit: t.places.add, fields: placeFields(null, area), save });
  }

  #changePlace(place: Place): void {
    const save = (fields: Fields) => updatePlace({ key: place.key, input: placeOf(fields) });
    this.edit({ title: place.name, submit: t.save, fields: placeFields(place, areaOfPlace(place)), save });
  }

  #zoneList(): TemplateResult {
    const { title, lead, add, unnamed, radius, meters, trips, tripChoices, remove, removeText, empty } = t.zones;
    return this.section<Zone>({
      title,
      lead,
      add: { label: add, run: () => this.#addZone(null) },
      list: this.#zones,
      nameOf: ({ name }) => name ?? unnamed,
      empty,
      columns: [
        {
          title: t.places.name,
          cell: ({ name, point, radius }) => this.#onMap(name ?? unnamed, { point, radius }),
        },
        { title: radius, cell: (zone) => meters(zone.radius) },
        { title: trips, cell: (zone) => tripChoices[zone.trips] },
      ],
      actions: (zone) => [
        { label: t.records.edit, run: () => this.#changeZone(zone) },
        this.removal(remove, '', removeText, () => removePrivacyZone({ key: zone.key })),
      ],
    });
  }

  #addZone(area: Area | null): void {
    const save = (fields: Fields) => createPrivacyZone({ input: zoneOf(fields) });
    this.edit({ title: t.zones.add, submit: t.zones.add, fields: zoneFields(null, area), save });
  }

  #changeZone(zone: Zone): void {
    const save = (fields: Fields) => updatePrivacyZone({ key: zone.key, input: zoneOf(fields) });
    const area = { point: zone.point, radius: zone.radius };
    this.edit({ title: zone.name ?? t.zones.unnamed, submit: t.save, fields: zoneFields(zone, area), save });
  }
}

customElements.define('console-places', PlacesPage);

function areaOfPlace({ point, radius, polygon }: Place): Area {
  return point ? { point, radius: radius ?? 0 } : { polygon };
}

function placeFields(place: Place | null, area: Area | null): TemplateResult {
  const { name, category, categories, arrivals, departures } = t.places;
  return html`
    ${textField({ name: 'name', label: name, value: place?.name ?? '', isRequired: true, maxLength: 255 })}
    ${choiceField({ name: 'category', label: category, value: place?.category ?? 'other' }, Object.entries(categories))}
    ${areaFields(area)}
    ${checkField({ name: 'arrivals', label: arrivals }, place?.notifying_arrival ?? true)}
    ${checkField({ name: 'departures', label: departures }, place?.notifying_departure ?? true)}`;
}

function placeOf(fields: Fields): PlaceInput {
  return {
    name: fields.name ?? '',
    category: fields.category as Place['category'],
    notifying_arrival: fields.arrivals === 'on',
    notifying_departure: fields.departures === 'on',
    ...areaOf(fields),
  };
}

function zoneFields(zone: Zone | null, area: Area | null): TemplateResult {
  const { name, trips, tripChoices } = t.zones;
  return html`
    ${textField({ name: 'name', label: name, value: zone?.name ?? '', maxLength: 255 })}
    ${areaFields(area)}
    <div class="zone-choice">
      ${choiceField({ name: 'trips', label: trips, value: zone?.trips ?? 'cut' }, Object.entries(tripChoices))}
      ${zonePicture('cut')} ${zonePicture('hide')}
    </div>`;
}

function zoneOf(fields: Fields): ZoneInput {
  const { lat, lon, radius, name, trips } = fields;
  const circle = { point: { lat: Number(lat), lon: Number(lon) }, radius: Number(radius) };
  return { ...circle, trips: trips as ZoneTrips, ...(name ? { name } : {}) };
}
