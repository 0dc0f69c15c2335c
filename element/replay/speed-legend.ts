import { html, type TemplateResult } from 'lit';

import { swatch } from '../styles/swatch.ts';
import { type SpeedScale, UNKNOWN_SPEED } from '../trips/speed-scale.ts';
import type { Strings } from '../trips/strings.ts';

/** Says which colour is which speed. */
export function speedLegend({ limits, colors, units }: SpeedScale, strings: Strings): TemplateResult {
  const unit = units === 'km' ? 'km/h' : 'mph';
  const labelOf = (band: number): string => {
    const [from, until] = [limits[band - 1], limits[band]];
    if (from === undefined) return `< ${until}`;
    return until === undefined ? `≥ ${from}` : `${from}–${until}`;
  };
  return html`<figure class="legend" part="legend">
    <figcaption>${strings.speed} <span>${unit}</span></figcaption>
    <ul>${colors.map((color, band) => html`<li>${swatch(color)}${labelOf(band)}</li>`)}<li>${swatch(UNKNOWN_SPEED)}${strings.unknown}</li></ul>
  </figure>`;
}
