import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createProgram } from '../../../server/program.ts';
import { fullTest } from '../../services/run-size.ts';
import { askWaybridge, spawnWaybridge } from '../../services/waybridge-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('Options that do not go together are refused:', () => {
  const rejection = async (options: string): Promise<unknown> => {
    const args = ['node', 'waybridge', 'trips', 'import', 'a.csv', ...options.split(' ')];
    const program = createProgram().configureOutput({ outputError: () => {} });
    for (const command of program.commands.flatMap(({ commands }) => commands))
      command.configureOutput({ writeErr: () => {} });
    return program.parseAsync(args).then(
      () => null,
      (error: unknown) => error,
    );
  };

  test.each([
    ['--vehicle V --account A --map vehicle=car', 'Give either --vehicle or --account'],
    ['--vehicle V --map vehicle=car', '--map vehicle= requires --account instead of --vehicle'],
    ['--account A', '--account requires --map vehicle=, the column that names the vehicles'],
    ['--vehicle V --create-vehicles', '--create-vehicles requires --account'],
    ['--vehicle V --join b.csv', '--join and --on belong together; give both or neither'],
    ['--vehicle V --map coordinates=path', '--map coordinates= requires --interval'],
    ['--vehicle V --map speed=v', '--map speed= requires --speed-unit'],
    ['--vehicle V --zone Middle/Earth', '--zone must be an offset'],
    ['--vehicle V --time-format hh:mm', '--time-format must be iso'],
    ['--vehicle V --map colour=v', 'It must be FIELD=COLUMN with one of time, lat, lon'],
    ['--vehicle V --map lat=a lat=b', 'lat already has a column'],
    ['--vehicle V --interval 0', 'It must be a number of seconds greater than 0'],
    ['--vehicle V --format kml', 'Allowed choices are gpx, geojson, csv, ndjson'],
    ['--vehicle V --speed-unit knots', 'Allowed choices are m/s, km/h, mph, kn'],
  ])('%s', async (options, message) => {
    const error = await rejection(options);
    expect(error).toMatchObject({ name: expect.stringMatching(/^(UsageError|CommanderError|InvalidArgumentError)$/) });
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
  });
});

fullTest('An import that is killed goes on where it was when the same command is given again', async () => {
  const settings = { DATA_DIR: join(folder, 'data') };
  const { key: account_key } = await askWaybridge(['account', 'add', '--nickname', 'Fleet'], settings);
  const file = join(folder, 'fleet.ndjson');
  const lines = Array.from({ length: 20_000 }, (_, i) => {
    const time = new Date(Date.UTC(2026, 0, 1) + i * 1000 + Math.floor(i / 40) * 600_000).toISOString();
    return JSON.stringify({ car: `Car ${Math.floor(i / 40) % 7}`, time, lat: 10 + i / 1e5, lon: 20 });
  });
  await writeFile(file, lines.join('\n'));
  const args = ['trips', 'import', file, '--account', String(account_key), '--create-vehicles', '--map', 'vehicle=car'];

  const child = spawnWaybridge([...args, '--json'], settings);
  const ended = once(child, 'close');
  // Killed once some of the trips are staged: the log of the database, which a closed one has not, has grown.
  const log = join(settings.DATA_DIR, 'waybridge.db-wal');
  await expect
    .poll(
      () =>
        stat(log).then(
          ({ size }) => size,
          () => 0,
        ),
      { timeout: 30_000, interval: 5 },
    )
    .toBeGreaterThan(300_000);
  child.kill('SIGKILL');
  await ended;
  expect(child.signalCode).toBe('SIGKILL');

  expect(await askWaybridge(args, settings)).toMatchObject({
    trip_count: 500,
    created_count: 500,
    point_count: 20_000,
    vehicle_count: 7,
  });
});
