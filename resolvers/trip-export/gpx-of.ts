import type { TripPoints } from '../../models/trips/trip-points.ts';
import { WAYBRIDGE_GPX } from '../../tracking/import/formats/read-gpx.ts';

import { decimal, type ExportedTrip, textOfPositions } from './exported-trip.ts';

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<gpx version="1.1" creator="Waybridge" xmlns="http://www.topografix.com/GPX/1/1" ' +
  'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" ' +
  `xmlns:waybridge="${WAYBRIDGE_GPX}">\n`;

/** Characters that XML 1.0 does not allow (section 2.2). */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/**
 * A trip as GPX 1.1, one track of one segment: speed (m/s) and course in Garmin's TrackPointExtension (version 2),
 * events in a namespace of our own. Characters that XML cannot hold are written as U+FFFD.
 * @see https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd
 */
export async function* gpxOf(trip: ExportedTrip): AsyncGenerator<string> {
  yield `${HEAD}<trk><name>${escaped(trip.key)}</name><trkseg>\n`;
  yield* textOfPositions(trip, positionOf);
  yield '</trkseg></trk>\n</gpx>\n';
}

function positionOf({ time, lat, lon, speed, heading, events }: TripPoints, at: number): string {
  const motion = element('gpxtpx:speed', decimal(speed[at], 2)) + element('gpxtpx:course', decimal(heading[at], 1));
  const happened = (events.get(at) ?? []).map((event) => element('waybridge:event', escaped(event))).join('');
  const extensions = element('gpxtpx:TrackPointExtension', motion) + happened;
  return (
    `<trkpt lat="${decimal(lat[at], 7)}" lon="${decimal(lon[at], 7)}">` +
    `<time>${new Date(time[at] ?? 0).toISOString()}</time>${element('extensions', extensions)}</trkpt>\n`
  );
}

function element(name: string, content: string): string {
  return content === '' ? '' : `<${name}>${content}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(NO_XML, '\ufffd').replace(/[&<>"\t\n\r]/g, (found) => ENTITIES[found] ?? found);
}
