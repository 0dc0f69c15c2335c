import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll } from 'vitest';

/** A position to write: when, and where. */
export interface GpxPosition {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
}

/** Gives a test file a temporary folder for GPX files. */
export function useGpxFiles(): {
  write: (name: string, trips: readonly (readonly GpxPosition[])[], end?: string) => Promise<string>;
  /** Writes any text. */
  writeText: (name: string, text: string) => Promise<string>;
} {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybridge-gpx-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const writeText = async (name: string, text: string) => {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  };
  return {
    writeText,
    write: async (name, trips, end = '</gpx>\n') => {
      return writeText(
        name,
        `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">\n${trips.map(track).join('')}${end}`,
      );
    },
  };
}

function track(positions: readonly GpxPosition[]): string {
  const points = positions.map(
    ({ time, lat, lon }) =>
      `<trkpt lat="${lat.toFixed(7)}" lon="${lon.toFixed(7)}"><time>${new Date(time).toISOString()}</time></trkpt>\n`,
  );
  return `<trk><trkseg>\n${points.join('')}</trkseg></trk>\n`;
}
