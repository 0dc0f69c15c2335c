import { html, nothing, render, type TemplateResult } from 'lit';

import { type Strings, stringsFor } from '../trips/strings.ts';
import { type TripFormat, unbroken } from '../trips/trip-format.ts';
import type { TripStop } from '../trips/trip.ts';

/** Address in a popup: not shown, being looked up, not found, or found. */
export type AddressState = null | 'pending' | 'missing' | { readonly text: string };

/** Content of a stop's popup, a small dialog. It dispatches `close-popup` on its close button and on Escape. */
export class StopPopup {
  readonly element: HTMLElement = document.createElement('div');

  constructor(
    private readonly stop: TripStop,
    private readonly format: TripFormat,
  ) {
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
    render(this.#template(stringsFor(this.format.locale), address), this.element);
  }

  #template(strings: Strings, address: AddressState): TemplateResult {
    const { kind, timeZone, arrival, departure, stayed = null } = this.stop;
    const { format } = this;
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
      </dl>`;
  }

  #close(): void {
    this.element.dispatchEvent(new Event('close-popup'));
  }
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
