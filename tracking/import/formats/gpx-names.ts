import type { SaxesTagNS } from 'saxes';

/** Program that our export names. */
export const GPX_CREATOR = 'Waybridge';

/** Namespace in which our export writes what GPX has no element for: `<event>engine_start</event>` in the extensions of a position. */
export const WAYBRIDGE_GPX = 'urn:waybridge:gpx:1';

const GPX = new Set(['', 'http://www.topografix.com/GPX/1/1', 'http://www.topografix.com/GPX/1/0']);

/** Beginnings of the namespaces of extensions whose speeds are in meters per second, with their usual prefixes. */
const METRIC_EXTENSIONS: readonly (readonly [uri: string, prefixes: readonly string[]])[] = [
  ['http://www.garmin.com/xmlschemas/TrackPointExtension/', ['gpxtpx', 'ns3', 'tpx']],
  ['http://www.cluetrust.com/XML/GPXDATA/', ['gpxdata']],
  ['https://osmand.net', ['osmand']],
  ['https://github.com/bfabiszewski/ulogger', ['ulogger']],
];

/** A value of a position: where the unit of a speed is not known, that is another value. */
export type ValueName = 'time' | 'speed' | 'speedWithoutUnit' | 'course' | 'event';

/** Namespace of a prefix that a document does not declare: that of the extension that usually has it. */
export function usualNamespace(prefix: string): string {
  return METRIC_EXTENSIONS.find(([, prefixes]) => prefixes.includes(prefix))?.[0] ?? `undeclared:${prefix}`;
}

/** Returns a test for the elements of GPX in a document: those of its versions, and those without or with its own namespace. */
export function gpxTest(root: Pick<SaxesTagNS, 'uri'>): (tag: Pick<SaxesTagNS, 'uri'>) => boolean {
  return ({ uri }) => uri === root.uri || GPX.has(uri);
}

/** Returns the value that an element of a position holds; null for any other element. */
export function valueNameOf({ local, uri }: SaxesTagNS, isGpx: boolean): ValueName | null {
  const isKnown = () => isGpx || METRIC_EXTENSIONS.some(([start]) => uri.startsWith(start));
  switch (local.toLowerCase()) {
    case 'time':
      return isGpx ? 'time' : null;
    case 'event':
      return uri === WAYBRIDGE_GPX ? 'event' : null;
    case 'speed':
      return isKnown() ? 'speed' : 'speedWithoutUnit';
    case 'course':
    case 'bearing':
      return isKnown() ? 'course' : null;
    default:
      return null;
  }
}
