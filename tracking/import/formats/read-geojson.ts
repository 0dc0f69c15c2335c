import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';

import { MAX_JSON_DEPTH } from '../../../schema/json-depth.ts';

import { FileError } from '../rows/import-failure.ts';
import type { ReadOptions } from '../rows/read-options.ts';
import { RecordedTrip } from '../rows/recorded-trip.ts';
import { fieldsOf } from '../rows/row-fields.ts';
import { RowReader } from '../rows/row-reader.ts';
import type { FileItem, LeftOut, WholeTrip } from '../rows/stream-position.ts';
import { eventsOf, headingOf, numberOf } from '../rows/values.ts';

const NEWLINE = 0x0a;

/** Members of the document that are read, one at a time: a feature of a collection, or the parts of a single feature. */
const MEMBERS = ['$.features.*', '$.type', '$.geometry', '$.properties', '$.coordinates'];

const TOO_DEEP = `arrays and objects are nested more than ${MAX_JSON_DEPTH} deep, and GeoJSON needs ten; export the file again`;
const NO_TYPE = 'it is not GeoJSON: it has no type; for JSON objects, one a line, give --format ndjson';

const DEPTH_OF: Readonly<Partial<Record<TokenType, number>>> = {
  [TokenType.LEFT_BRACE]: 1,
  [TokenType.LEFT_BRACKET]: 1,
  [TokenType.RIGHT_BRACE]: -1,
  [TokenType.RIGHT_BRACKET]: -1,
};

/**
 * Reads the features of a GeoJSON document, at most one of them in memory.
 * @see https://www.rfc-editor.org/rfc/rfc7946
 * @throws FileError with the line where parsing stopped, after the features before it
 */
export async function* readGeojson(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<FileItem[]> {
  const reader = new FeatureReader(options);
  const document: Record<string, unknown> = {};
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths: MEMBERS, keepStack: false });
  let items: FileItem[] = [];
  let piece: Uint8Array = new Uint8Array();
  let pieceStart = 0;
  let counted = 0;
  let line = 1;
  let depth = 0;
  const countLines = (until: number) => {
    for (; counted < Math.min(until, piece.length); counted++) if (piece[counted] === NEWLINE) line++;
  };
  tokenizer.onToken = ({ token, value, offset }) => {
    countLines(offset - pieceStart);
    depth += DEPTH_OF[token] ?? 0;
    if (depth > MAX_JSON_DEPTH) throw new FileError(TOO_DEEP, { line, column: 1 });
    parser.write({ token, value } as Parameters<typeof parser.write>[0]);
  };
  parser.onValue = ({ key, value, stack }) => {
    if (stack.length > 1) items.push(...reader.read(value, line));
    else if (typeof key === 'string') document[key] = value;
  };
  const parse = (work: () => void) => {
    try {
      work();
    } catch (error) {
      throw error instanceof FileError
        ? error
        : new FileError(`it is not GeoJSON: ${reasonOf(error)}`, { line, column: 1 });
    }
  };
  for await (const written of text) {
    piece = Buffer.from(written);
    counted = 0;
    try {
      parse(() => tokenizer.write(piece));
    } finally {
      yield items;
      items = [];
    }
    countLines(piece.length);
    pieceStart += piece.length;
  }
  if (!parser.isEnded) throw new FileError('it is not GeoJSON: the document is incomplete', { line, column: 1 });
  if (document.type === undefined) throw new FileError(NO_TYPE, { line: 1, column: 1 });
  if (document.type !== 'FeatureCollection') yield reader.read(documentAsFeature(document), 1);
}

/** A single feature unchanged; a bare geometry as a feature without properties. */
function documentAsFeature(document: Record<string, unknown>): unknown {
  return document.type === 'Feature' ? document : { type: 'Feature', geometry: document, properties: {} };
}

/** Returns the parser's message without its states and its positions, which are counted from the last piece. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replace(/ at chunk position .*| in state .*/s, '')
    .split('\n', 1)
    .join('')
    .slice(0, 200);
}

/** Members of `properties` that hold a value for each position of a line. */
type Columns = Readonly<Record<'times' | 'speeds' | 'headings' | 'events', readonly unknown[]>>;

/**
 * Makes trips and positions of GeoJSON features. A LineString or MultiLineString is one trip. Columns of its positions
 * are in `properties`, as lists of the same length (one per line of a MultiLineString): `coordTimes` (also `times`, or
 * `coordinateProperties.times`) as ISO 8601, `speeds` in m/s, `headings` in degrees, `events` as lists of texts; null
 * for none. Our export writes these, and is read without loss. A Point with a time is a position of a stream; one
 * without a time is skipped.
 */
class FeatureReader {
  readonly #properties: RowReader;

  constructor(options: ReadOptions) {
    const { speedUnit = 'm/s' } = options;
    this.#properties = new RowReader(fieldsOf(null, { ...options, speedUnit }, null), options);
  }

  read(feature: unknown, line: number): FileItem[] {
    const { geometry, properties } = membersOf(feature);
    return this.#readGeometry(membersOf(geometry), membersOf(properties), line);
  }

  #readGeometry(geometry: Record<string, unknown>, properties: Record<string, unknown>, line: number): FileItem[] {
    const { type, coordinates, geometries } = geometry;
    switch (type) {
      case 'LineString':
        return [this.#readLines([listOf(coordinates)], columnsOf(properties), properties, line)];
      case 'MultiLineString':
        return [this.#readLines(listOf(coordinates).map(listOf), flattened(columnsOf(properties)), properties, line)];
      case 'Point':
        return [this.#readPoint(listOf(coordinates), properties, line)];
      case 'GeometryCollection':
        return listOf(geometries).flatMap((part) => this.#readGeometry(membersOf(part), properties, line));
      default:
        return [{ kind: 'left_out', fault: 'no_line', line }];
    }
  }

  #readPoint([lon, lat]: readonly unknown[], properties: object, line: number): FileItem {
    const position = this.#properties.readPosition(properties, line, numberOf(lat), numberOf(lon));
    if (position.kind === 'position' && position.time === null) return { kind: 'left_out', fault: 'no_line', line };
    return position;
  }

  #readLines(
    lines: readonly (readonly unknown[])[],
    { times, speeds, headings, events }: Columns,
    properties: object,
    line: number,
  ): WholeTrip | LeftOut {
    const vehicle = this.#properties.vehicleOf(properties);
    if (vehicle === undefined) return { kind: 'left_out', fault: 'no_vehicle', line };
    const recorded = new RecordedTrip(line);
    for (const [i, coordinates] of lines.flat().entries()) {
      const [lon = Number.NaN, lat = Number.NaN] = listOf(coordinates).map(numberOf);
      recorded.add({
        lat,
        lon,
        line,
        ...this.#properties.timeOf(times[i]),
        speed: this.#properties.speedOf(speeds[i]),
        heading: headingOf(headings[i]),
        events: eventsOf(events[i]),
      });
    }
    return { kind: 'trip', vehicle, recorded };
  }
}

function columnsOf(properties: Record<string, unknown>): Columns {
  const { coordTimes, times, speeds, headings, events } = properties;
  return {
    times: listOf(coordTimes ?? times ?? membersOf(properties.coordinateProperties).times),
    speeds: listOf(speeds),
    headings: listOf(headings),
    events: listOf(events),
  };
}

function flattened({ times, speeds, headings, events }: Columns): Columns {
  return { times: times.flat(), speeds: speeds.flat(), headings: headings.flat(), events: events.flat() };
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
