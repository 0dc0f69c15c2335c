import { html, nothing, render, type TemplateResult } from 'lit';

import type { Leg } from '../engine/marked-stops.ts';
import { type Strings, stringsFor } from '../trips/strings.ts';
import { type TripFormat, unbroken } from '../trips/trip-format.ts';
import type { LonLat, Trip, TripStop } from '../trips/trip.ts';

/** Address in a popup: not shown, being looked up, not found, or found. */
export type AddressState = null | 'pending' | 'missing' | { readonly text: string };

/** Facts of a popup in addition to its stop. */
interface StopPopupView {
  readonly format: TripFormat;
  readonly trip: Trip | null;
  readonly next: Leg | null;
}

/** Content of a stop's popup, a small dialog. It dispatches `close-popup` on its close button and on Escape. */
export class StopPopup {
  readonly element: HTMLElement = document.createElement('div');

  constructor(
    private readonly stop: TripStop,
    private readonly view: StopPopupView,
  ) {
    const { format } = view;
    this.element.className = 'popup';
    this.element.part.add('popup');
    this.element.setAttribute('role', 'dialog');
    this.element.setAttribute('aria-label', format.label(stop));
    this.element.tabIndex = -1;
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.#close();
    });
  }

  show(address: AddressState): void {
    render(this.#template(stringsFor(this.view.format.locale), address), this.element);
  }

  #template(strings: Strings, address: AddressState): TemplateResult {
    const { kind, timeZone, arrival, departure, stayed = null } = this.stop;
    const { format, next } = this.view;
    const seconds = arrival && departure ? (Date.parse(departure) - Date.parse(arrival)) / 1000 : stayed;
    const duration = seconds === null ? null : unbroken(format.duration(seconds));
    return html`
      <header><span class="badge ${kind}"></span><b>${strings[kind]}</b>
        <button type="button" class="close" aria-label=${strings.close} @click=${() => this.#close()}>
          <svg viewBox="0 0 16 16" width="14" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><path d="m4 4 8 8m0-8-8 8" /></svg>
        </button>
      </header>
      ${addressLine(strings, address)}
      <dl>
        ${
          arrival && departure
            ? row(strings.stayed, `${format.period(arrival, departure, timeZone)} · ${duration}`)
            : html`${arrival ? row(strings.arrived, format.period(arrival, null, timeZone)) : nothing}
                ${departure ? row(strings.departed, format.period(departure, null, timeZone)) : nothing}
                ${duration === null ? nothing : row(strings.stayed, duration)}`
        }
        ${next ? row(next.to.kind === 'end' ? strings.end : strings.nextStop, this.#legText(next)) : nothing}
        ${kind === 'end' ? this.#tripRow(strings) : nothing}
      </dl>
      <a href=${mapsUrl(this.stop.position)} target="_blank" rel="noopener noreferrer">${strings.openInMaps}</a>`;
  }

  #legText({ to, meters, seconds }: Leg): string {
    const { format } = this.view;
    const time = to.arrival && format.times(to.arrival, null, to.timeZone);
    const measures = [format.distance(meters), seconds === null ? null : format.duration(seconds)];
    return [time, ...measures.map((text) => text && unbroken(text))].filter(Boolean).join(' · ');
  }

  #tripRow({ trip }: Strings): TemplateResult | typeof nothing {
    const measures = this.view.trip ? this.view.format.totals([this.view.trip]) : [];
    return measures.length > 0 ? row(trip, measures.map(unbroken).join(' · ')) : nothing;
  }

  #close(): void {
    this.element.dispatchEvent(new Event('close-popup'));
  }
}

/** Address at which the reader's system shows a position: in an app for maps or, where there is none, on OpenStreetMap. */
function mapsUrl([lon, lat]: LonLat): string {
  const at = `${lat.toFixed(6)},${lon.toFixed(6)}`;
  if (/Android/.test(navigator.userAgent)) return `geo:${at}?q=${at}`;
  if (/iPhone|iPad|Macintosh/.test(navigator.userAgent)) return `https://maps.apple.com/?q=${at}`;
  return `https://www.openstreetmap.org/?mlat=${lat.toFixed(6)}&mlon=${lon.toFixed(6)}#map=17/${at.replace(',', '/')}`;
}

function row(term: string, value: string): TemplateResult {
  return html`<div><dt>${term}</dt><dd><bdi>${value}</bdi></dd></div>`;
}

function addressLine(strings: Strings, address: AddressState): TemplateResult | typeof nothing {
  if (address === null) return nothing;
  if (typeof address === 'object') return html`<p class="address" role="status"><bdi>${address.text}</bdi></p>`;
  const text = address === 'pending' ? strings.findingAddress : strings.noAddress;
  return html`<p class="address ${address}" role="status"><bdi>${text}</bdi></p>`;
}
