import type { ReadOptions } from '../rows/read-options.ts';
import { RecordedTrip } from '../rows/recorded-trip.ts';
import type { SourceFile } from '../rows/source-file.ts';
import type { FileItem } from '../rows/stream-position.ts';
import { timeReader } from '../rows/time-reader.ts';
import { motionOf, numberOf } from '../rows/values.ts';
import { xmlEncoding } from './read-gpx.ts';
import { readXml, type XmlElements } from './xml-elements.ts';

/**
 * Reads the activities of a TCX document, each of which is a trip, with speeds (m/s) from Garmin's ActivityExtension. A
 * course is a plan, whose times are not those of a drive: it is reported, and not imported.
 * @see https://www8.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd
 * @throws FileError with line and column if the document is not well-formed or not TCX
 */
export function readTcx(file: SourceFile, options: ReadOptions): AsyncGenerator<FileItem[]> {
  return readXml(file.text(xmlEncoding), new TcxElements(options));
}

class TcxElements implements XmlElements {
  readonly title = 'TCX';
  readonly root = 'TrainingCenterDatabase';
  readonly texts: ReadonlySet<string> = new Set(['Time', 'LatitudeDegrees', 'LongitudeDegrees', 'Speed']);
  readonly #readTime: ReturnType<typeof timeReader>;
  #trip: RecordedTrip | null = null;
  #point: { readonly line: number; readonly values: Record<string, string> } | null = null;

  constructor(options: ReadOptions) {
    this.#readTime = timeReader(options);
  }

  readonly open = (name: string, line: number): void => {
    if (name === 'Activity') this.#trip = new RecordedTrip(line);
    else if (name === 'Trackpoint') this.#point = { line, values: {} };
  };

  readonly close = (name: string, text: string, line: number): readonly FileItem[] => {
    const trip = this.#trip;
    if (this.texts.has(name)) {
      if (this.#point) this.#point.values[name] = text;
    } else if (name === 'Trackpoint') {
      if (trip && this.#point) this.#add(trip, this.#point.line, this.#point.values);
      this.#point = null;
    } else if (name === 'Course') {
      return [{ kind: 'left_out', fault: 'no_line', line }];
    } else if (name === 'Activity' && trip) {
      this.#trip = null;
      return [{ kind: 'track', vehicle: null, recorded: trip }];
    }
    return [];
  };

  readonly takeOpen = (): readonly FileItem[] =>
    this.#trip && this.#trip.length > 0 ? [{ kind: 'track', vehicle: null, recorded: this.#trip }] : [];

  #add(trip: RecordedTrip, line: number, values: Readonly<Record<string, string>>): void {
    const { Time = '', LatitudeDegrees, LongitudeDegrees, Speed } = values;
    trip.add({
      lat: numberOf(LatitudeDegrees),
      lon: numberOf(LongitudeDegrees),
      ...(Time === '' ? { time: null, isZoneMissing: false } : this.#readTime(Time)),
      speed: motionOf(Speed, numberOf(Speed), Number.MAX_VALUE),
      heading: null,
      events: [],
      line,
    });
  }
}
