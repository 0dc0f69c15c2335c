import { html, svg, type TemplateResult } from 'lit';

import type { ZoneTrips } from '../../../schema/vehicles/privacy-zone.ts';
import { t } from '../browser/texts.ts';

/** A way into the zone, cut at its edge, and one that passes by. */
const INSIDE = 'M72 52c8 6 14 8 26 6';
const OUTSIDE = 'M6 78c18-2 22-22 38-28 10-4 20-2 28 2';
const PASSING = 'M6 16c34 4 70 2 148-8';

/** Draws what the account and what others see of trips, one of which ends in the zone. */
export function zonePicture(trips: ZoneTrips): TemplateResult {
  const { own, others, hidden } = t.zones;
  return html`<div class="zone-pictures ${trips}">
    ${picture(own, own, true, true)} ${picture(others, hidden[trips], trips === 'cut', false)}
  </div>`;
}

function picture(title: string, label: string, isOutsideSeen: boolean, isInsideSeen: boolean): TemplateResult {
  return html`<figure>
    <svg viewBox="0 0 160 92" role="img" aria-label=${label}>
      <circle cx="98" cy="56" r="27"></circle>
      <path d=${PASSING}></path>
      ${isOutsideSeen ? svg`<path d=${OUTSIDE}></path>` : ''}
      ${isInsideSeen ? svg`<path d=${INSIDE}></path><circle class="end" cx="98" cy="58" r="4"></circle>` : ''}
    </svg>
    <figcaption>${title}</figcaption>
  </figure>`;
}
