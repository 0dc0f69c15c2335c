import { html, type TemplateResult } from 'lit';

import type { Area, Point } from './area.ts';
import { type Fields, linesField, textField } from '../browser/form.ts';
import { t } from '../browser/texts.ts';

/** Draws the fields of an area: corners of a polygon, or center and radius of a circle. */
export function areaFields(area: Area | null): TemplateResult {
  const { corners, cornersHint, lat, lon, radius } = t.places;
  if (area && 'polygon' in area) {
    const value = area.polygon.map((corner) => `${corner.lat}, ${corner.lon}`).join('\n');
    return linesField({ name: 'corners', label: corners, value, hint: cornersHint, isRequired: true });
  }
  const number = (name: string, label: string, value: number | undefined): TemplateResult =>
    html`<div>${textField({ name, label, type: 'number', value: String(value ?? ''), isRequired: true })}</div>`;
  return html`<div class="columns">
    ${number('lat', lat, area?.point.lat)} ${number('lon', lon, area?.point.lon)} ${number('radius', radius, area?.radius ?? 150)}
  </div>`;
}

/** The area of a form with {@link areaFields}. */
export function areaOf({ corners, lat, lon, radius }: Fields): Area {
  if (corners === undefined) return { point: { lat: Number(lat), lon: Number(lon) }, radius: Number(radius) };
  return { polygon: corners.split('\n').flatMap(pointOf) };
}

function pointOf(line: string): readonly Point[] {
  const [lat, lon] = line.split(/[,;\s]+/).map(Number);
  return lat === undefined || lon === undefined || line.trim() === '' ? [] : [{ lat, lon }];
}
