import { extname } from 'node:path';

import type { ReadOptions } from './rows/read-options.ts';
import { readStart, type SourceFile } from './rows/source-file.ts';
import type { FileItem } from './rows/stream-position.ts';

/** Reads the items of a file; throws a FileError if it cannot be read to its end, after the items that are whole before it. */
export type FileReader = (file: SourceFile, options: ReadOptions) => AsyncGenerator<readonly FileItem[]>;

/** A form of files: its name for people, how it is recognized, and its reader. */
export interface FileFormat {
  readonly title: string;
  readonly extensions: readonly string[];
  /** Matches the beginning of such a file, as {@link readStart} reads it; null if only the extension tells. */
  readonly content: RegExp | null;
  /** Advice if no time can be read, and if no position can be. */
  readonly advice: { readonly time: string; readonly position: string };
  /** Loads the reader, which other commands do not need. */
  readonly load: () => Promise<FileReader>;
}

/** Advice for files whose columns and times the options describe. */
const BY_OPTIONS = {
  time: 'describe its times with --time-format',
  position: 'assign the columns of latitude and longitude, in degrees, with --map lat=COLUMN lon=COLUMN',
};

/** Matches XML with this root element, whatever its prefix. */
function xmlRoot(name: string): RegExp {
  return new RegExp(
    `^\\s*(?:<\\?(?:(?!\\?>).)*\\?>\\s*|<!--(?:(?!-->).)*-->\\s*)*<(?:[\\w.-]{1,40}:)?${name}[\\s/>]`,
    's',
  );
}

function timesAsIn(title: string, element: string): string {
  return `${title} writes times as 2026-03-01T12:00:00Z in ${element}; describe others with --time-format`;
}

/** The formats of files that are imported, by the names that `--format` takes. */
export const FILE_FORMATS = {
  gpx: {
    title: 'GPX',
    extensions: ['.gpx'],
    content: xmlRoot('gpx'),
    advice: {
      time: 'GPX writes times as 2026-03-01T12:00:00Z; describe others with --time-format',
      position: 'GPX writes lat and lon in degrees',
    },
    load: async () => {
      const { readGpx, xmlEncoding } = await import('./formats/read-gpx.ts');
      return (file, options) => readGpx(file.text(xmlEncoding), options);
    },
  },
  kml: {
    title: 'KML',
    extensions: ['.kml'],
    content: xmlRoot('kml'),
    advice: { time: timesAsIn('KML', 'a <gx:Track>'), position: 'KML writes longitude, then latitude, in degrees' },
    load: async () => (await import('./formats/read-kml.ts')).readKmlFile,
  },
  kmz: {
    title: 'KMZ',
    extensions: ['.kmz'],
    content: /^PK.{28}[^/]{0,100}\.kml/is,
    advice: { time: timesAsIn('KML', 'a <gx:Track>'), position: 'KML writes longitude, then latitude, in degrees' },
    load: async () => (await import('./formats/read-kmz.ts')).readKmz,
  },
  tcx: {
    title: 'TCX',
    extensions: ['.tcx'],
    content: xmlRoot('TrainingCenterDatabase'),
    advice: { time: timesAsIn('TCX', '<Time>'), position: 'TCX writes LatitudeDegrees and LongitudeDegrees' },
    load: async () => (await import('./formats/read-tcx.ts')).readTcx,
  },
  fit: {
    title: 'FIT',
    extensions: ['.fit'],
    content: /^.{8}\.FIT/s,
    advice: { time: 'export it as TCX or GPX', position: 'it was recorded without GPS' },
    load: async () => (await import('./formats/read-fit.ts')).readFit,
  },
  nmea: {
    title: 'NMEA 0183',
    extensions: ['.nmea'],
    content: /^(?:[^\n]{0,200}\n){0,20}\$[A-Z]{2}(?:RMC|GGA),/,
    advice: {
      time: 'NMEA has the date in RMC sentences only; record these, too',
      position: 'record undamaged RMC or GGA sentences with a fix',
    },
    load: async () => (await import('./formats/read-nmea.ts')).readNmea,
  },
  timeline: {
    title: 'Google Timeline',
    extensions: [],
    content:
      /^\s*(?:\{\s*"(?:timelineObjects|semanticSegments)"\s*:|\{\s*"locations"\s*:(?=.*E7")|\[\s*\{(?=.{0,400}"(?:endTime|startTime)"))/s,
    advice: { time: 'export it from Google again', position: 'export it from Google again' },
    load: async () => (await import('./formats/read-timeline.ts')).readTimeline,
  },
  owntracks: {
    title: 'OwnTracks',
    extensions: ['.rec'],
    content: /^\d{4}-\d{2}-\d{2}T[\d:.]+Z\t[^\t\n]{1,40}\t\{/,
    advice: {
      time: 'OwnTracks writes tst in seconds since 1970; describe others with --time-format',
      position: 'OwnTracks writes lat and lon in degrees',
    },
    load: async () => (await import('./formats/read-rec.ts')).readRec,
  },
  geojson: {
    title: 'GeoJSON',
    extensions: ['.geojson', '.json'],
    content: /^\s*\{\s*"type"\s*:\s*"FeatureCollection"/,
    advice: { time: BY_OPTIONS.time, position: 'GeoJSON writes longitude, then latitude, in degrees' },
    load: async () => {
      const { readGeojson } = await import('./formats/read-geojson.ts');
      return (file, options) => readGeojson(file.text(), options);
    },
  },
  csv: {
    title: 'CSV',
    extensions: ['.csv', '.tsv'],
    content: null,
    advice: BY_OPTIONS,
    load: async () => {
      const [{ csvRows }, { headerTest }, { readRows }] = await Promise.all([
        import('./rows/csv-rows.ts'),
        import('./rows/usual-columns.ts'),
        import('./rows/row-reader.ts'),
      ]);
      return (file, options) => readRows(csvRows(file.text(), headerTest(options)), options);
    },
  },
  ndjson: {
    title: 'NDJSON',
    extensions: ['.ndjson', '.jsonl'],
    content: null,
    advice: BY_OPTIONS,
    load: async () => {
      const [{ jsonRows }, { readRows }] = await Promise.all([
        import('./formats/json-rows.ts'),
        import('./rows/row-reader.ts'),
      ]);
      return (file, options) => readRows(jsonRows(file.text()), options);
    },
  },
} as const satisfies Readonly<Record<string, FileFormat>>;

/** Name of one of {@link FILE_FORMATS}. */
export type Format = keyof typeof FILE_FORMATS;

/** Names of {@link FILE_FORMATS}. */
export const FORMATS = Object.keys(FILE_FORMATS) as readonly Format[];

/**
 * Treatments of a trip of a file that the vehicle has already, from another recording of the same drive: `merge` imports its
 * parts before and after, `skip` nothing of it, `keep` all.
 */
export const OVERLAPS = ['merge', 'skip', 'keep'] as const;

/** One of {@link OVERLAPS}. */
export type Overlap = (typeof OVERLAPS)[number];

/** Options for reading the files of an import, in a format: by default the one that content and name reveal. */
export interface FileOptions extends ReadOptions {
  readonly format?: Format;
  /** Treatment of trips that the vehicle has already from another recording; `merge` by default. */
  readonly overlap?: Overlap;
}

/**
 * Finds the format in which a file is read: that of the options, else of its content, else of its extension; undefined if
 * nothing reveals it.
 * @throws FileError if the file cannot be read
 */
export async function formatOf(file: string, { format }: FileOptions): Promise<FileFormat | undefined> {
  if (format) return FILE_FORMATS[format];
  const formats: readonly FileFormat[] = Object.values(FILE_FORMATS);
  const extension = extname(file).toLowerCase();
  const start = await readStart(file);
  return (
    formats.find(({ content }) => content?.test(start)) ??
    formats.find(({ extensions }) => extensions.includes(extension))
  );
}
