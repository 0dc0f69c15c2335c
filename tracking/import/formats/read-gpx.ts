import { SaxesParser, type SaxesTagNS } from 'saxes';

import { parseDateTime } from '../../../schema/date-time.ts';

import { FileError } from '../rows/import-failure.ts';
import { RecordedTrip } from '../rows/recorded-trip.ts';
import type { WholeTrip } from '../rows/stream-position.ts';
import { hasZone } from '../rows/time-reader.ts';
import { motionOf } from '../rows/values.ts';

const GPX = new Set(['http://www.topografix.com/GPX/1/1', 'http://www.topografix.com/GPX/1/0']);
/** Namespace in which our export writes what GPX has no element for: `<event>engine_start</event>` in the extensions of a position. */
export const WAYBRIDGE_GPX = 'urn:waybridge:gpx:1';
const GARMIN = 'http://www.garmin.com/xmlschemas/TrackPointExtension/';
/** The numbers of XML Schema's `decimal` (https://www.w3.org/TR/xmlschema-2/#decimal). */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
/** Its `double`, which Garmin's speed is, without INF and NaN. */
const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][+-]?\d+)?$/;
/** Maximum length of a time, a speed or a course in characters, more than any real one. */
const MAX_VALUE_LENGTH = 1000;
/** Maximum length of any other token in characters: a text, a comment, a tag with its attributes. */
const MAX_PIECE_LENGTH = 16 * 1024 * 1024;

/** Maximum depth of nested elements; a track with extensions has eight. */
const MAX_DEPTH = 64;

const ENCODING = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/;

type ValueName = 'time' | 'speed' | 'course' | 'event';

/** Returns the encoding that an XML declaration names; undefined without one. */
export function xmlEncoding(start: Buffer): string | undefined {
  return ENCODING.exec(start.subarray(0, 200).toString('latin1'))?.[1];
}

/**
 * Reads the trips of a GPX document; memory holds those that end in the current piece, and the one that is open.
 * @throws FileError with line and column if the document is not well-formed or not GPX
 */
export async function* readGpx(text: AsyncIterable<string>): AsyncGenerator<WholeTrip[]> {
  const parser = new GpxParser();
  for await (const piece of text) yield parser.write(piece);
  yield parser.end();
}

/**
 * Reads the tracks of a GPX 1.1 (or 1.0) document piece by piece; each `<trk>` is one trip, with all its segments.
 * Speed (m/s) and course are read from Garmin's TrackPointExtension, or from the elements of GPX 1.0; events from our
 * own extension. Declarations of document types and entities are rejected.
 * @see https://www.topografix.com/GPX/1/1/
 */
export class GpxParser {
  readonly #xml = new SaxesParser({ xmlns: true, position: true });
  readonly #finished: WholeTrip[] = [];
  #depth = 0;
  #trip: RecordedTrip | null = null;
  #position: { lat: number; lon: number; line: number } | null = null;
  #values: Partial<Record<Exclude<ValueName, 'event'>, string>> = {};
  #events: string[] = [];
  #text: string | null = null;
  /** Characters written since the last tag or text ended, to within a piece of the file. */
  #unfinished = 0;

  constructor() {
    this.#xml.on('error', (error) => this.#fail(error.message.replace(/^(?:\d+:)*\d*: /, '')));
    this.#xml.on('doctype', () => this.#fail('document type declarations are not accepted'));
    this.#xml.on('opentag', (tag) => this.#open(tag));
    this.#xml.on('closetag', (tag) => this.#close(tag));
    this.#xml.on('text', (text) => this.#append(text));
    this.#xml.on('cdata', (text) => this.#append(text));
    this.#xml.on('comment', () => this.#append(''));
    this.#xml.on('processinginstruction', () => this.#append(''));
  }

  /**
   * Reads on; returns the trips complete since the last call.
   *
   * @throws FileError if it is no well-formed GPX
   */
  write(text: string): WholeTrip[] {
    this.#unfinished += text.length;
    this.#xml.write(text);
    this.#checkLength();
    return this.#finished.splice(0);
  }

  /** Ends the document; throws like {@link write}, also if the end is missing. */
  end(): WholeTrip[] {
    this.#xml.close();
    return this.#finished.splice(0);
  }

  /** Rejects an endless token before its end. */
  #checkLength(): void {
    const max = this.#text === null ? MAX_PIECE_LENGTH : MAX_VALUE_LENGTH;
    if (this.#unfinished > max) this.#fail(`a text or tag is longer than ${max} characters`);
  }

  #append(text: string): void {
    this.#unfinished = 0;
    if (this.#text === null) return;
    this.#text += text;
    if (this.#text.length > MAX_VALUE_LENGTH) {
      this.#fail(`a time, speed or course is longer than ${MAX_VALUE_LENGTH} characters`);
    }
  }

  #fail(reason: string): never {
    throw new FileError(reason, { line: this.#xml.line, column: Math.max(1, this.#xml.column) });
  }

  #open(tag: SaxesTagNS): void {
    this.#unfinished = 0;
    const isGpx = GPX.has(tag.uri);
    if (this.#depth++ === 0 && !(isGpx && tag.local === 'gpx')) {
      this.#fail(`the root element is <${tag.name}>, not <gpx> of GPX 1.1`);
    }
    if (this.#depth > MAX_DEPTH) {
      this.#fail(`elements are nested more than ${MAX_DEPTH} deep, and GPX needs ten; export the file again`);
    }
    if (isGpx && tag.local === 'trk') this.#trip = new RecordedTrip(this.#xml.line);
    else if (isGpx && tag.local === 'trkpt' && this.#trip) this.#openPosition(tag);
    else if (this.#position && valueNameOf(tag, isGpx)) this.#text = '';
  }

  #openPosition(tag: SaxesTagNS): void {
    this.#position = { lat: degrees(tag, 'lat'), lon: degrees(tag, 'lon'), line: this.#xml.line };
    this.#values = {};
    this.#events = [];
  }

  #close(tag: SaxesTagNS): void {
    this.#unfinished = 0;
    this.#depth--;
    const isGpx = GPX.has(tag.uri);
    if (isGpx && tag.local === 'trk' && this.#trip) {
      this.#finished.push({ kind: 'trip', vehicle: null, recorded: this.#trip });
      this.#trip = null;
    } else if (isGpx && tag.local === 'trkpt') {
      this.#closePosition();
    } else if (this.#text !== null) {
      const name = valueNameOf(tag, isGpx);
      if (name === 'event') this.#events.push(this.#text);
      else if (name) this.#values[name] = this.#text.trim();
      this.#text = null;
    }
  }

  #closePosition(): void {
    const [trip, position] = [this.#trip, this.#position];
    this.#position = null;
    if (!trip || !position) return;
    const { time = '', speed, course } = this.#values;
    const moment = time === '' ? null : parseDateTime(time);
    trip.add({
      ...position,
      time: time === '' ? null : (moment?.instant ?? 'unreadable'),
      isZoneMissing: time !== '' && !hasZone(time),
      speed: motionOf(speed, numberIn(speed, DOUBLE), Number.MAX_VALUE),
      heading: motionOf(course, numberIn(course, DECIMAL), 360),
      events: this.#events,
    });
  }
}

function valueNameOf({ local, uri }: SaxesTagNS, isGpx: boolean): ValueName | null {
  if (local === 'time') return isGpx ? 'time' : null;
  if (local === 'event') return uri === WAYBRIDGE_GPX ? 'event' : null;
  return (local === 'speed' || local === 'course') && (isGpx || uri.startsWith(GARMIN)) ? local : null;
}

function degrees(tag: SaxesTagNS, name: 'lat' | 'lon'): number {
  return numberIn(tag.attributes[name]?.value.trim(), DECIMAL);
}

function numberIn(written: string | undefined, form: RegExp): number {
  return written !== undefined && form.test(written) ? Number(written) : Number.NaN;
}
