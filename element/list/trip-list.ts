import { html, nothing, type TemplateResult } from 'lit';

import type { Emphasis } from '../engine/map-canvas.ts';
import { stringsFor } from '../trips/strings.ts';
import { swatch } from '../styles/swatch.ts';
import { type Trip, tripColor, type TripPalette } from '../trips/trip.ts';
import { type TripFormat, unbroken } from '../trips/trip-format.ts';

/** Contents and callbacks of the panel of trips. */
export interface TripListView extends Emphasis, TripPalette {
  readonly trips: readonly Trip[];
  /** Key of the trip whose moment a replay shows; null if there is none. */
  readonly played: string | null;
  readonly format: TripFormat;
  /** true if the sheet that the panel is in a narrow element shows all rows, over the map. */
  readonly isOpen: boolean;
  /** Returns the name of a trip's vehicle among several; null for the only one. */
  vehicleOf(trip: Trip): string | null;
  open(isOpen: boolean): void;
  choose(key: string | null): void;
  hover(key: string | null): void;
}

/** Keys that move the focus through the list, by a number of rows. */
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/**
 * Renders the panel of trips: one button per trip; the Tab key reaches one, the arrow keys the others. In a narrow
 * element it is a sheet below the map, which a button or a vertical swipe opens over the map and closes.
 */
export function tripList(view: TripListView): TemplateResult {
  const { trips, chosen, format, isOpen } = view;
  const strings = stringsFor(format.locale);
  const chosenAt = trips.findIndex(({ key }) => key === chosen);
  const chosenTrip = trips[chosenAt];
  // Without trips the panel is there only while they are loaded.
  const count = html`<b><bdi>${trips.length === 0 ? strings.tripList : format.count(trips.length)}</bdi></b>`;
  const totals = html`<span><bdi>${format.totals(trips).join(' · ')}</bdi></span>`;
  return html`<nav class="list ${isOpen ? 'open' : ''}" part="trip-list" aria-label=${strings.tripList} @keydown=${(event: KeyboardEvent) => handleKey(event, view)}>
    <header>
      <button type="button" class="handle" aria-expanded=${isOpen} @click=${(event: MouseEvent) => tap(event, view)}
        @pointerdown=${startStroke} @pointerup=${(event: PointerEvent) => endStroke(event, view)}>
        ${chosenTrip && !isOpen ? summaryOf(chosenTrip, chosenAt, view, true) : [count, totals]}
      </button>
      ${count}
      ${
        chosen === null
          ? totals
          : html`<button type="button" @click=${() => view.choose(null)}>${strings.allTrips}</button>`
      }
    </header>
    <div class="days">${daysOf(view).map(
      ({ day, rows }) => html`${day && html`<p class="day" aria-hidden="true"><bdi>${day}</bdi></p>`}
        <ol aria-label=${day ?? nothing}>${rows.map(([index, trip]) => row(trip, index, index === Math.max(0, chosenAt), view))}</ol>`,
    )}${sourcesOf(trips)}</div>
  </nav>`;
}

/** Names the sources of the addresses of trips. */
function sourcesOf(trips: readonly Trip[]): TemplateResult | typeof nothing {
  const sources = new Set(trips.flatMap(({ stops }) => stops.flatMap(({ nameSource }) => nameSource ?? [])));
  return sources.size === 0 ? nothing : html`<p class="sources">© ${[...sources].toSorted().join(', ')}</p>`;
}

interface Day {
  /** null if the times of its trips are not known. */
  readonly day: string | null;
  readonly rows: (readonly [index: number, trip: Trip])[];
}

/** Groups trips, which are in the order of their starts, by the days on which they started. */
function daysOf({ trips, format }: TripListView): Day[] {
  const days: Day[] = [];
  for (const row of trips.entries()) {
    const { stops, timeZone } = row[1];
    const day = stops[0]?.departure ? format.date(stops[0].departure, timeZone) : null;
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }
  return days;
}

function row(trip: Trip, index: number, isTabStop: boolean, view: TripListView): TemplateResult {
  const { key } = trip;
  const { chosen, hovered, played } = view;
  const classes = [hovered === key && 'hovered', played === key && 'played'].filter(Boolean).join(' ');
  return html`<li><button type="button" part="trip" class=${classes} aria-current=${played === key ? 'true' : nothing} tabindex=${isTabStop ? 0 : -1}
    data-key=${key} aria-pressed=${chosen === key}
    @click=${(event: Event) => chooseRow(event, trip, view)}
    @pointerenter=${() => view.hover(key)} @pointerleave=${() => view.hover(null)}
    @focus=${() => view.hover(key)} @blur=${() => view.hover(null)}>
    ${summaryOf(trip, index, view)}
  </button></li>`;
}

function summaryOf(trip: Trip, index: number, view: TripListView, isAlone = false): TemplateResult {
  const { stops, distanceMeters, durationSeconds, timeZone } = trip;
  const { format, vehicleOf } = view;
  const [start, end] = [stops[0], stops.at(-1)];
  const until = end?.arrival ?? null;
  const names = [...new Set([start?.name, end?.name])].filter((name) => name !== null && name !== undefined);
  const times =
    start?.departure && (isAlone ? format.period : format.times).call(format, start.departure, until, timeZone);
  const title = names.length > 0 ? names.join(' → ') : times || `${index + 1}`;
  const measures = [
    distanceMeters === null ? null : format.distance(distanceMeters),
    durationSeconds === null ? null : format.duration(durationSeconds),
  ];
  const facts = [vehicleOf(trip), names.length > 0 ? times : null, ...measures.map((text) => text && unbroken(text))];
  return html`${swatch(tripColor(trip.colorIndex ?? index, view))}
    <b><bdi>${title}</bdi></b>
    <span><bdi>${facts.filter(Boolean).join(' · ')}</bdi></span>`;
}

/** Chooses a trip, or all again; an open sheet makes room for the map. */
function chooseRow({ currentTarget }: Event, { key }: Trip, { chosen, isOpen, choose, open }: TripListView): void {
  choose(chosen === key ? null : key);
  if (isOpen) close(currentTarget as HTMLElement, open);
}

function close(inside: HTMLElement, open: TripListView['open']): void {
  open(false);
  inside.closest('nav')?.querySelector<HTMLElement>('.handle')?.focus();
}

/** Minimum length of a swipe that is not a tap, in pixels. */
const STROKE = 12;

/** Heights at which the pointer was pressed on handles; removed after a swipe, which a mouse ends with a click. */
const strokes = new WeakMap<EventTarget, number>();

function startStroke({ currentTarget, clientY, pointerId }: PointerEvent): void {
  const handle = currentTarget as HTMLElement;
  strokes.set(handle, clientY);
  handle.setPointerCapture(pointerId);
}

function endStroke({ currentTarget, clientY }: PointerEvent, { open }: TripListView): void {
  const handle = currentTarget as HTMLElement;
  const length = clientY - (strokes.get(handle) ?? clientY);
  if (Math.abs(length) < STROKE) return;
  strokes.delete(handle);
  open(length < 0);
}

function tap({ currentTarget, detail }: MouseEvent, { isOpen, open }: TripListView): void {
  // A click by key has no pointer.
  if (detail === 0 || strokes.has(currentTarget as HTMLElement)) open(!isOpen);
}

function handleKey(event: KeyboardEvent, { chosen, choose, isOpen, open }: TripListView): void {
  const list = event.currentTarget as HTMLElement;
  if (event.key === 'Escape' && (isOpen || chosen !== null)) {
    event.stopPropagation();
    if (isOpen) close(list, open);
    else choose(null);
    return;
  }
  const move = MOVES[event.key];
  const rows = [...list.querySelectorAll<HTMLButtonElement>('ol button')];
  const at = rows.indexOf(event.target as HTMLButtonElement);
  if (move === undefined || at < 0) return;
  event.preventDefault();
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + move))];
  for (const button of rows) button.tabIndex = button === next ? 0 : -1;
  next?.focus();
}

/** Scrolls only the list in `root` to the row of a trip. */
export function showRow(root: ParentNode, key: string): void {
  const button = root.querySelector<HTMLElement>(`.list [data-key="${CSS.escape(key)}"]`);
  const list = button?.closest('.days');
  if (!button || !list) return;
  const [inside, around] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.min(0, inside.top - around.top) || Math.max(0, inside.bottom - around.bottom);
}
