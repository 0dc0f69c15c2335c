import { ask, operation } from './ask.ts';

interface PointPage {
  readonly nodes: readonly {
    readonly timestamp: string;
    readonly point: { readonly lat: number; readonly lon: number };
  }[];
  readonly page_info: { readonly has_next_page: boolean; readonly end_cursor: string | null };
}

const POINTS = operation<
  { readonly tripPoints: PointPage | null },
  { readonly key: string; readonly after: string | null }
>(
  `query ConsoleTripPoints($key: String!, $after: String) {
  tripPoints(trip_key: $key, first: 1000, after: $after) {
    nodes { timestamp point { lat lon } }
    page_info { has_next_page end_cursor }
  }
}`,
);

/** Reads the positions of a trip, and saves them as a file (GPX 1.1). */
export async function saveGpx(key: string): Promise<void> {
  const points: string[] = [];
  for (let after: string | null = null, hasMore = true; hasMore; ) {
    const page: PointPage | null = (await ask(POINTS, { key, after })).tripPoints;
    for (const { timestamp, point } of page?.nodes ?? []) {
      points.push(
        `<trkpt lat="${point.lat}" lon="${point.lon}"><time>${new Date(timestamp).toISOString()}</time></trkpt>`,
      );
    }
    hasMore = page?.page_info.has_next_page ?? false;
    after = page?.page_info.end_cursor ?? null;
  }
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Waybridge" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
${points.join('\n')}
</trkseg></trk></gpx>
`;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/gpx+xml' }));
  link.download = `trip-${key}.gpx`;
  link.click();
  URL.revokeObjectURL(link.href);
}
