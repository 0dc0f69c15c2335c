import { expect, test, vi } from 'vitest';

import { jsonOf } from '../../clients/https-client.ts';

import { serveTree } from './served-tree.ts';
import { useTreeCopy } from './tree-copy.ts';

// A tree is compiled and a service started.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const READER = `import { readTime } from './fix-time.ts';
import { EXAMPLE_DEVICE_KEY, type MessageReader } from './message-reader.ts';
import { readPlace } from './sent-report.ts';

/** Messages of GPSLogger, as parameters of an address. */
export const gpsLogger: MessageReader = {
  methods: {
    GET: {
      parameters: { id: "The device's own key.", lat: 'Degrees.', lon: 'Degrees.', time: 'A date-time.' },
      exampleParameters: { id: EXAMPLE_DEVICE_KEY, lat: '53.0758', lon: '8.8072', time: '2026-03-01T12:00:00Z' },
    },
  },
  deviceKey: ['id'],
  mutation: 'ingestGpsLogger',
  description: 'Adds the position of a message as GPSLogger sends it.',
  messageDescription: 'Parameters.',
  answer: 'outcome',
  read: ({ lat, lon, time }, now) => {
    const at = readTime('time', time, now);
    const place = readPlace(['lat', lat], ['lon', lon]);
    const motion = { speed: Number.NaN, heading: Number.NaN, accuracy: Number.NaN };
    return { reports: [{ at, fix: place && { ...place, ...motion, at }, events: [], readings: {} }] };
  },
};
`;

const TABLE = 'tracking/ingest/message-readers.ts';
const DOCUMENTED = '| `GET /ingest/gpslogger` | positions from GPSLogger, with a device key as `id` |';
const TABLE_TEST = ['run', '-t', 'every path of the account API', 'test/journeys/documentation.test.ts'];
const PATH_TESTS = ['run', 'test/rest-bridge/open-api.test.ts', 'test/rest-bridge/scopes-of-paths.test.ts'];

const tree = useTreeCopy();

test('a form in which apps send positions is a reader and its row', async () => {
  await tree.add('tracking/ingest/read-gps-logger.ts', READER);
  await tree.insert(TABLE, "'./message-reader.ts'", "import { gpsLogger } from './read-gps-logger.ts';");
  await tree.insert(TABLE, '  osmand: osmAnd,', '  gpslogger: gpsLogger,');
  const undocumented = await tree.run('vitest', ...TABLE_TEST);
  expect(undocumented).toMatchObject({ code: 1, output: expect.stringContaining('GET /ingest/gpslogger') });
  await tree.insert('docs/account-api.md', '| `POST /ingest/owntracks` |', DOCUMENTED);
  expect(await tree.run('vitest', ...TABLE_TEST)).toMatchObject({ code: 0 });
  expect(await tree.run('biome', 'ci', 'tracking/ingest')).toMatchObject({ code: 0 });
  expect(await tree.run('tsc', '-p', '.')).toMatchObject({ code: 0 });
  expect(await tree.run('vite', 'build', '--config', 'server/vite.config.ts')).toMatchObject({ code: 0 });
  expect(await tree.run('vitest', ...PATH_TESTS)).toMatchObject({ code: 0 });

  const { owner, secret, ask, end } = await serveTree(tree);
  try {
    const timestamp = '2026-11-01T12:00:00+00:00';
    const at = (lat: string) => `lat=${lat}&lon=8.8072&time=${encodeURIComponent(timestamp)}`;
    const path = '/api/v2/ingest/gpslogger';
    const sent = await ask(`${path}?id=${secret}&${at('53.0758')}`);
    expect([sent.status, sent.headers.ratelimit]).toEqual([200, expect.stringContaining('"caller"')]);
    expect(jsonOf(sent)).toMatchObject({ accepted: 1, duplicates: 0 });
    const refused = { accepted: 0, refused: 'lat must be a number from -90 to 90' };
    expect(jsonOf(await ask(`${path}?id=${secret}&${at('north')}`))).toMatchObject(refused);
    expect((await ask(`${path}?${at('53.0758')}`)).status).toBe(401);
    expect((await ask(`${path}?${at('53.0758')}`, owner)).status).toBe(401);
    expect(await ask(path, {}, {})).toMatchObject({ status: 405, headers: { allow: 'GET, OPTIONS' } });

    const { trips } = jsonOf(await ask('/api/v2/trips', owner)) as { readonly trips: { readonly key: string }[] };
    const { trip_points } = jsonOf(await ask(`/api/v2/trip/${trips[0]?.key}/points`, owner));
    expect(trip_points).toMatchObject([{ point: { lat: 53.0758, lon: 8.8072 }, timestamp }]);
    const { paths } = jsonOf(await ask('/api/v2/openapi.json'));
    expect(paths).toHaveProperty('/ingest/gpslogger', {
      get: expect.objectContaining({ tags: ['ingest'], security: [{ deviceKeyAsId: [] }, { deviceKey: [] }] }),
    });
  } finally {
    await end();
  }
});
