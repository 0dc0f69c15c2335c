import { expect, test, vi } from 'vitest';

import { jsonOf } from '../../clients/https-client.ts';
import { outcomeOf, spawnWaybridge } from '../../processes/waybridge-process.ts';

import { serveTree } from './served-tree.ts';
import { useTreeCopy } from './tree-copy.ts';

// A tree is compiled and a service started.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const ROW = "  vehicle_towed: { from: ['device'], text: 'A vehicle is being towed.' },";
const DOCUMENTED = '| `vehicle_towed` | the `events` of positions, if the vehicle moves without its engine |';
const TABLE_TEST = ['run', '-t', 'every kind of event', 'test/journeys/documentation.test.ts'];
const SCHEMA_TEST = ['run', 'test/resolvers/gateway-schema.test.ts', '--maxWorkers=1'];

const tree = useTreeCopy();

test('a kind of event that devices report is one row, and its name in the page of events', async () => {
  await tree.insert('schema/events/event-kinds.ts', '  vehicle_trouble_code: {', ROW);
  const undocumented = await tree.run('vitest', ...TABLE_TEST);
  expect(undocumented).toMatchObject({ code: 1, output: expect.stringContaining('vehicle_towed') });
  await tree.insert('docs/places-and-events.md', '| `trip_tagged` |', DOCUMENTED);
  expect(await tree.run('vitest', ...TABLE_TEST)).toMatchObject({ code: 0 });
  expect(await tree.run('vitest', ...SCHEMA_TEST, '--update')).toMatchObject({ code: 0 });
  expect(await tree.run('biome', 'ci', 'schema/events')).toMatchObject({ code: 0 });
  expect(await tree.run('tsc', '-p', '.')).toMatchObject({ code: 0 });
  expect(await tree.run('vite', 'build', '--config', 'server/vite.config.ts')).toMatchObject({ code: 0 });

  const help = spawnWaybridge(['webhook', 'add', '--help'], {}, tree.path('build/bundle/waybridge.js'));
  expect((await outcomeOf(help)).stdout).toContain('vehicle_towed');
  const { owner, secret, ask, end } = await serveTree(tree);
  try {
    const input = { url: 'https://bakery.example/events', events: ['vehicle_towed'] };
    const read = async (path: string, body?: object) => jsonOf(await ask(path, owner, body));
    expect(await read('/api/v2/webhooks', input)).toMatchObject({ events: ['vehicle_towed'] });
    const { cursor } = await read('/api/v2/changes');
    const timestamp = new Date().toISOString();
    const points = [{ point: { lat: 53.0758, lon: 8.8072 }, timestamp, events: ['vehicle_towed'] }];
    const sent = await ask('/api/v2/ingest', { authorization: `Bearer ${secret}` }, { points });
    expect(jsonOf(sent)).toMatchObject({ accepted: 1 });

    const towed = { event: 'vehicle_towed', context: { point: points[0]?.point } };
    expect((await read('/api/v2/events?event=vehicle_towed')).events).toMatchObject([towed]);
    expect((await read('/api/v2/events?event=vehicle_fuel_low')).events).toEqual([]);
    expect((await ask('/api/v2/events?event=towed', owner)).text).toContain('vehicle_towed');
    const query = '{ events(event: vehicle_towed) { nodes { event context { point { lat lon } } } } }';
    expect(await read('/graphql', { query })).toEqual({ data: { events: { nodes: [towed] } } });
    await vi.waitFor(async () => {
      const { changes } = await read(`/api/v2/changes?expand=event&cursor=${cursor}`);
      const logged = (changes as { kind: string; event?: object }[]).filter(({ kind }) => kind === 'event');
      expect(logged).toMatchObject([{ event: towed }]);
    }, 20_000);
  } finally {
    await end();
  }
});
