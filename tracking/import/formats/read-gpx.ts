import { SaxesParser, type SaxesTagNS } from 'saxes';

import { FileError, type Place } from '../faults/import-failure.ts';
import { SPEED_UNITS } from '../../geometry/speeds.ts';
import type { ReadOptions } from '../rows/read-options.ts';
import { type RecordedPosition, RecordedTrip } from '../rows/recorded-trip.ts';
import type { WholeTrack } from '../rows/stream-position.ts';
import { timeReader } from '../rows/time-reader.ts';
import { commaNumberOf, hasDecimalComma, motionOf, spelledDegrees } from '../rows/values.ts';
import { GPX_CREATOR, gpxTest, usualNamespace, type ValueName, valueNameOf } from './gpx-names.ts';

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

const ENCODING = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/;
/** Encodings in which a declaration cannot be read byte by byte: it has been copied from another document. */
const WIDE = /^(?:utf-?(?:16|32)|ucs-?[24]|iso-10646-ucs)/i;

/** An ampersand that begins no reference; https://www.w3.org/TR/xml/#NT-Reference. */
const BARE_AMPERSAND = /&(?!(?:#\d+|#x[\da-f]+|[a-z_][\w.-]*);)/gi;
/** Maximum length of a reference, to be completed by the next piece of the file. */
const MAX_REFERENCE_LENGTH = 12;

/** Returns the encoding that an XML declaration names; undefined without one, or if it cannot be the encoding. */
export function xmlEncoding(start: Buffer): string | undefined {
  const encoding = ENCODING.exec(start.subarray(0, 200).toString('latin1'))?.[1];
  return encoding === undefined || WIDE.test(encoding) ? undefined : encoding;
}

/**
 * Reads the trips of a GPX document; memory holds those that end in the current piece, and the one that is open.
 * @throws FileError with line and column if the document is not well-formed or not GPX, after the trips that are whole before
 */
export async function* readGpx(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<WholeTrack[]> {
  const parser = new GpxParser(options);
  try {
    for await (const piece of text) yield parser.write(piece);
    yield parser.end();
  } catch (error) {
    yield parser.takeWhole();
    throw error;
  }
}

/**
 * Reads the tracks of a GPX 1.1 (or 1.0) document piece by piece; each `<trk>` is one track, with all its segments.
 * Speed and course are read from known extensions and from the elements of GPX 1.0, in m/s and degrees; events from our own
 * extension. Namespaces may be missing or misspelled. Declarations of document types and entities are rejected.
 * @see https://www.topografix.com/GPX/1/1/
 */
export class GpxParser {
  readonly #xml = new SaxesParser({ xmlns: true, position: true, resolvePrefix: usualNamespace });
  readonly #readTime: ReturnType<typeof timeReader>;
  readonly #speedFactor: number | null;
  readonly #finished: WholeTrack[] = [];
  #depth = 0;
  #isGpx: ReturnType<typeof gpxTest> = () => false;
  #trip: RecordedTrip | null = null;
  /** True for our own export, whose tracks are trips. */
  #isExport = false;
  #position: { lat: number; lon: number; line: number } | null = null;
  #hasComma = false;
  #values: Partial<Record<Exclude<ValueName, 'event'>, string>> = {};
  #events: string[] = [];
  #text: string | null = null;
  /** Characters written since the last tag or text ended, to within a piece of the file. */
  #unfinished = 0;
  #isBegun = false;
  /** The beginning of a reference at the end of a piece. */
  #held = '';
  /** Place of the first ampersand since the last tag or text ended that begins no reference. */
  #ampersand: Place | null = null;

  constructor(options: ReadOptions = {}) {
    this.#readTime = timeReader(options);
    this.#speedFactor = options.speedUnit ? SPEED_UNITS[options.speedUnit] : null;
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
  write(text: string): WholeTrack[] {
    this.#unfinished += text.length;
    const piece = this.#held + (this.#isBegun ? text : text.replace(/^(\s+)<\?xml[^>]*\?>/, '$1'));
    this.#isBegun = true;
    const last = piece.lastIndexOf('&');
    const isCut = last >= 0 && piece.length - last < MAX_REFERENCE_LENGTH && !piece.includes(';', last);
    this.#held = isCut ? piece.slice(last) : '';
    this.#parse(isCut ? piece.slice(0, last) : piece);
    this.#checkLength();
    return this.#finished.splice(0);
  }

  /** Ends the document; throws like {@link write}, also if the end is missing. */
  end(): WholeTrack[] {
    this.#parse(this.#held);
    this.#xml.close();
    return this.#finished.splice(0);
  }

  /** The trips since the last call, with the one that was open when the document was cut off. */
  takeWhole(): WholeTrack[] {
    if (this.#trip && this.#trip.length > 0) this.#finishTrip(this.#trip);
    return this.#finished.splice(0);
  }

  #parse(text: string): void {
    let from = 0;
    for (const { index } of text.matchAll(BARE_AMPERSAND)) {
      this.#xml.write(text.slice(from, index));
      this.#ampersand ??= { line: this.#xml.line, column: this.#xml.column + 1 };
      from = index;
    }
    this.#xml.write(text.slice(from));
  }

  /** Rejects an endless token before its end. */
  #checkLength(): void {
    const max = this.#text === null ? MAX_PIECE_LENGTH : MAX_VALUE_LENGTH;
    if (this.#unfinished > max) this.#fail(`a text or tag is longer than ${max} characters`);
  }

  #append(text: string): void {
    this.#unfinished = 0;
    this.#ampersand = null;
    if (this.#text === null) return;
    this.#text += text;
    if (this.#text.length > MAX_VALUE_LENGTH) {
      this.#fail(`a time, speed or course is longer than ${MAX_VALUE_LENGTH} characters`);
    }
  }

  #fail(reason: string): never {
    if (this.#ampersand) throw new FileError('a bare & is here; write it as &amp;', this.#ampersand);
    throw new FileError(reason, { line: this.#xml.line, column: Math.max(1, this.#xml.column) });
  }

  #open(tag: SaxesTagNS): void {
    this.#unfinished = 0;
    this.#ampersand = null;
    if (this.#depth++ === 0) {
      if (tag.local !== 'gpx') this.#fail(`the root element is <${tag.name}>, not <gpx>`);
      this.#isGpx = gpxTest(tag);
      this.#isExport = tag.attributes.creator?.value === GPX_CREATOR;
    }
    const isGpx = this.#isGpx(tag);
    if (this.#depth > MAX_DEPTH) {
      this.#fail(`elements are nested more than ${MAX_DEPTH} deep, and GPX needs ten; export the file again`);
    }
    if (isGpx && tag.local === 'trk') this.#trip = new RecordedTrip(this.#xml.line);
    else if (isGpx && tag.local === 'trkpt' && this.#trip) this.#openPosition(tag);
    else if (this.#position && valueNameOf(tag, isGpx)) this.#text = '';
  }

  #openPosition(tag: SaxesTagNS): void {
    this.#hasComma = false;
    this.#position = { lat: this.#degrees(tag, 'lat'), lon: this.#degrees(tag, 'lon'), line: this.#xml.line };
    this.#values = {};
    this.#events = [];
  }

  #degrees(tag: SaxesTagNS, name: 'lat' | 'lon'): number {
    const written = tag.attributes[name]?.value.trim() ?? '';
    if (DECIMAL.test(written)) return Number(written);
    this.#hasComma ||= hasDecimalComma(written);
    return spelledDegrees(written, name);
  }

  #close(tag: SaxesTagNS): void {
    this.#unfinished = 0;
    this.#ampersand = null;
    this.#depth--;
    const isGpx = this.#isGpx(tag);
    if (isGpx && tag.local === 'trk' && this.#trip) {
      this.#finishTrip(this.#trip);
    } else if (isGpx && tag.local === 'trkpt') {
      this.#closePosition();
    } else if (this.#text !== null) {
      const name = valueNameOf(tag, isGpx);
      if (name === 'event') this.#events.push(this.#text);
      else if (name) this.#values[name] = this.#text.trim();
      this.#text = null;
    }
  }

  #finishTrip(recorded: RecordedTrip): void {
    this.#finished.push({ kind: this.#isExport ? 'trip' : 'track', vehicle: null, recorded });
    this.#trip = null;
  }

  #closePosition(): void {
    const [trip, position] = [this.#trip, this.#position];
    this.#position = null;
    if (!trip || !position) return;
    const { time = '', course } = this.#values;
    if (this.#hasComma) trip.report('decimal_comma', position.line);
    trip.add({
      ...position,
      ...(time === '' ? { time: null, isZoneMissing: false } : this.#readTime(time)),
      speed: this.#speedAt(trip, position),
      heading: motionOf(course, numberIn(course, DECIMAL), 360),
      events: this.#events,
    });
  }

  /** Speed in meters per second; one without a known unit counts if there is no other, and the options give its unit. */
  #speedAt(trip: RecordedTrip, { line }: Pick<RecordedPosition, 'line'>): number | null {
    const { speed, speedWithoutUnit } = this.#values;
    if (speed !== undefined || speedWithoutUnit === undefined) {
      return motionOf(speed, numberIn(speed, DOUBLE), Number.MAX_VALUE);
    }
    if (this.#speedFactor === null) {
      trip.report('speed_unit', line);
      return null;
    }
    const read = motionOf(speedWithoutUnit, numberIn(speedWithoutUnit, DOUBLE), Number.MAX_VALUE);
    return read === null ? null : read * this.#speedFactor;
  }
}

function numberIn(written: string | undefined, form: RegExp): number {
  if (written === undefined) return Number.NaN;
  if (form.test(written)) return Number(written);
  return hasDecimalComma(written) ? commaNumberOf(written) : Number.NaN;
}
