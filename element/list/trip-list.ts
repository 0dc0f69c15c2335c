import { html, type TemplateResult } from 'lit';

import type { Emphasis } from '../map/map-canvas.ts';
import { stringsFor } from '../trips/strings.ts';
import { swatch } from '../styles/swatch.ts';
import { type Trip, tripColor } from '../trips/trip.ts';
import type { TripFormat } from '../trips/trip-format.ts';

/** Contents and callbacks of the panel of trips. */
export interface TripListView extends Emphasis {
  readonly trips: readonly Trip[];
  readonly format: TripFormat;
  /** Color of the first trip. */
  readonly color: string;
  choose(key: string | null): void;
  hover(key: string | null): void;
}

/** Keys that move the focus through the list, by a number of rows. */
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/** Renders the panel of trips: one button a trip, of which the Tab key reaches one and the arrow keys the others. */
export function tripList(view: TripListView): TemplateResult {
  const { trips, chosen, format } = view;
  const strings = stringsFor(format.locale);
  const chosenAt = trips.findIndex(({ key }) => key === chosen);
  return html`<nav class="list" part="trip-list" aria-label=${strings.tripList} @keydown=${(event: KeyboardEvent) => handleKey(event, view)}>
    <header><b><bdi>${format.count(trips.length)}</bdi></b>${
      chosen === null
        ? null
        : html`<button type="button" @click=${() => view.choose(null)}>${strings.allTrips}</button>`
    }</header>
    <ol>${trips.map((trip, index) => row(trip, index, index === Math.max(0, chosenAt), view))}</ol>
  </nav>`;
}

function row(trip: Trip, index: number, isTabStop: boolean, view: TripListView): TemplateResult {
  const { key, stops, distanceMeters, durationSeconds } = trip;
  const { chosen, hovered, format } = view;
  const [from, until] = [stops[0]?.departure, stops.at(-1)?.arrival];
  const facts = [
    distanceMeters === null ? null : format.distance(distanceMeters),
    durationSeconds === null ? null : format.duration(durationSeconds),
  ];
  return html`<li><button type="button" part="trip" class=${hovered === key ? 'hovered' : ''} tabindex=${isTabStop ? 0 : -1}
    data-key=${key} aria-pressed=${chosen === key}
    @click=${() => view.choose(chosen === key ? null : key)}
    @pointerenter=${() => view.hover(key)} @pointerleave=${() => view.hover(null)}
    @focus=${() => view.hover(key)} @blur=${() => view.hover(null)}>
    ${swatch(tripColor(trip.colorIndex ?? index, view.color))}
    <b><bdi>${from ? format.period(from, until ?? null, trip.timeZone) : `${index + 1}`}</bdi></b>
    <span><bdi>${facts.filter(Boolean).join(' · ')}</bdi></span>
  </button></li>`;
}

function handleKey(event: KeyboardEvent, { chosen, choose }: TripListView): void {
  const list = event.currentTarget as HTMLElement;
  if (event.key === 'Escape' && chosen !== null) {
    event.stopPropagation();
    choose(null);
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
  const list = button?.closest('ol');
  if (!button || !list) return;
  const [inside, around] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.min(0, inside.top - around.top) || Math.max(0, inside.bottom - around.bottom);
}
