import type { ReadOptions } from '../rows/read-options.ts';
import { RecordedTrip } from '../rows/recorded-trip.ts';
import type { SourceFile } from '../rows/source-file.ts';
import type { FileItem } from '../rows/stream-position.ts';
import { type ReadTime, timeReader } from '../rows/time-reader.ts';
import { headingOf, isOnEarth, numberOf } from '../rows/values.ts';
import { xmlEncoding } from './read-gpx.ts';
import { readXml, type XmlElements } from './xml-elements.ts';

const UNTIMED: ReadTime = { time: null, isZoneMissing: false };

/** Reads a KML file, as {@link readKml} does. */
export function readKmlFile(file: SourceFile, options: ReadOptions): AsyncGenerator<FileItem[]> {
  return readKml(file.text(xmlEncoding), options);
}

/**
 * Reads the tracks of a KML document: each `gx:MultiTrack`, and each `gx:Track` outside of one, is a trip, whose positions
 * are `gx:coord` at `when`, with headings from `gx:angles`. A point with a `TimeStamp` is a position of a stream. A line
 * has no times for its positions, not in a `TimeSpan` either, within which a vehicle can have been anywhere on the line
 * at any time: it is reported, and not imported.
 * @see https://developers.google.com/kml/documentation/kmlreference
 * @throws FileError with line and column if the document is not well-formed or not KML
 */
export function readKml(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<FileItem[]> {
  return readXml(text, new KmlElements(options));
}

class KmlElements implements XmlElements {
  readonly title = 'KML';
  readonly root = 'kml';
  readonly texts: ReadonlySet<string> = new Set(['when', 'coord', 'angles', 'coordinates']);
  readonly #readTime: ReturnType<typeof timeReader>;
  #multiTrack: RecordedTrip | null = null;
  #track: { readonly times: ReadTime[]; readonly places: Place[]; readonly headings: (number | null)[] } | null = null;
  #point: { isOpen: boolean; place: Place | null; time: ReadTime } | null = null;

  constructor(options: ReadOptions) {
    this.#readTime = timeReader(options);
  }

  readonly open = (name: string, line: number): void => {
    if (name === 'MultiTrack') this.#multiTrack = new RecordedTrip(line);
    else if (name === 'Track') this.#track = { times: [], places: [], headings: [] };
    else if (name === 'Placemark') this.#point = { isOpen: false, place: null, time: UNTIMED };
    else if (name === 'Point' && this.#point) this.#point.isOpen = true;
  };

  readonly close = (name: string, text: string, line: number): readonly FileItem[] => {
    const track = this.#track;
    switch (name) {
      case 'when':
        if (track) track.times.push(this.#timeOf(text));
        else if (this.#point) this.#point.time = this.#timeOf(text);
        return [];
      case 'coord':
        track?.places.push(placeOf(text.split(/\s+/), line));
        return [];
      case 'angles':
        track?.headings.push(headingOf(text.split(/\s+/, 1)[0]));
        return [];
      case 'Track':
        return this.#closeTrack(line);
      case 'MultiTrack':
        return this.#closeMultiTrack();
      case 'LineString':
        return [{ kind: 'left_out', fault: 'untimed_trip', line }];
      case 'coordinates':
        if (this.#point?.isOpen) this.#point.place = placeOf(text.split(','), line);
        return [];
      case 'Point':
        if (this.#point) this.#point.isOpen = false;
        return [];
      case 'Placemark':
        return this.#closePlacemark();
      default:
        return [];
    }
  };

  readonly takeOpen = (): readonly FileItem[] => {
    const items = this.#track && this.#track.places.length > 0 ? this.#closeTrack(1) : [];
    return this.#multiTrack && this.#multiTrack.length > 0 ? this.#closeMultiTrack() : items;
  };

  #timeOf(text: string): ReadTime {
    return text === '' ? UNTIMED : this.#readTime(text);
  }

  #closeTrack(line: number): FileItem[] {
    const { times, places, headings } = this.#track ?? { times: [], places: [], headings: [] };
    this.#track = null;
    const recorded = this.#multiTrack ?? new RecordedTrip(places[0]?.line ?? line);
    for (const [i, place] of places.entries()) {
      const heading = headings[i] ?? null;
      recorded.add({ ...place, ...(times[i] ?? UNTIMED), speed: null, heading, events: [] });
    }
    return this.#multiTrack ? [] : [{ kind: 'track', vehicle: null, recorded }];
  }

  #closeMultiTrack(): FileItem[] {
    const recorded = this.#multiTrack;
    this.#multiTrack = null;
    return recorded ? [{ kind: 'track', vehicle: null, recorded }] : [];
  }

  #closePlacemark(): FileItem[] {
    const { place, time: read } = this.#point ?? { place: null, time: UNTIMED };
    this.#point = null;
    if (!place) return [];
    const { line } = place;
    const { time, isZoneMissing } = read;
    if (time === null) return [{ kind: 'left_out', fault: 'no_line', line }];
    if (time === 'unreadable') return [{ kind: 'left_out', fault: 'bad_time', line }];
    if (!isOnEarth(place.lat, place.lon)) return [{ kind: 'left_out', fault: 'no_position', line }];
    const nothing = { speed: null, heading: null, events: [], vehicle: null, trip: null };
    return [{ kind: 'position', ...place, time, isZoneMissing, ...nothing }];
  }
}

interface Place {
  readonly lat: number;
  readonly lon: number;
  readonly line: number;
}

/** Reads longitude and latitude; the altitude after them is not read. */
function placeOf([lon, lat]: readonly string[], line: number): Place {
  return { lat: numberOf(lat), lon: numberOf(lon), line };
}
