import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createProgram } from '../../../cli/program.ts';
import { accountFolder } from '../../services/account-folder.ts';
import { fullTest } from '../../services/run-size.ts';
import { askCommand } from '../../processes/run-command.ts';
import { askWaybridge, outcomeOf, spawnWaybridge } from '../../processes/waybridge-process.ts';

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
    ['--vehicle V --map odometer=o', '--map odometer= and --odometer-unit belong together; give both or neither'],
    ['--vehicle V --odometer-unit km', '--map odometer= and --odometer-unit belong together; give both or neither'],
    ['--vehicle V --zone Middle/Earth', '--zone must be an offset'],
    ['--vehicle V --time-format hh:mm', '--time-format must be iso'],
    ['--vehicle V --map colour=v', '--map must be field=column with one of time, lat, lon'],
    ['--vehicle V --map lat=a lat=b', '--map must not name lat twice'],
    ['--vehicle V --interval 0', '--interval must be greater than 0'],
    [
      '--vehicle V --format xls',
      'Allowed choices are gpx, kml, kmz, tcx, fit, nmea, timeline, owntracks, geojson, csv',
    ],
    ['--vehicle V --overlap mix', 'Allowed choices are merge, skip, keep'],
    ['--vehicle V --speed-unit knots', 'Allowed choices are m/s, km/h, mph, kn'],
    ['--vehicle V --map odometer=o --odometer-unit miles', 'Allowed choices are m, km, mi'],
  ])('%s', async (options, message) => {
    const error = await rejection(options);
    expect(error).toMatchObject({ name: expect.stringMatching(/^(UsageError|CommanderError|InvalidArgumentError)$/) });
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
  });
});

test('Odometers and fuel levels are imported; what cannot be is left out, and reported', async () => {
  const { DATA_DIR, account } = await accountFolder();
  const settings = { DATA_DIR };
  const of = ['--account', account];
  const file = join(folder, 'readings.csv');
  const rows = ['0:00Z,53,100.5,80', '0:30Z,53.001,100.7,79.5', '1:00Z,53.002,x,101', '1:30Z,53.003,,'];
  const lines = rows.map((row) => `Van,8,2026-03-01T12:0${row}`);
  await writeFile(file, ['car,lon,time,lat,km,fuel', ...lines].join('\n'));
  const columns = ['--map', 'vehicle=car', 'odometer=km', 'fuel_level=fuel', '--odometer-unit', 'km'];
  expect(await askCommand(['trips', 'import', file, ...of, '--create-vehicles', ...columns], settings)).toMatchObject({
    point_count: 4,
    fault_totals: { bad_reading: { count: 1, line: 4 } },
  });
  const vehicles = await askCommand(['vehicle', 'list', ...of], settings);
  const trips = await askCommand(['trips', 'list', ...of], settings);
  expect(vehicles).toMatchObject({ nodes: [{ nickname: 'Van', odometer: 62.572 }] });
  expect(trips).toMatchObject({
    nodes: [{ start_point: { odometer: 62.448, fuel_level: 80 }, end_point: { odometer: 62.572, fuel_level: 79.5 } }],
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

  const interrupted = await endWhileStaging('SIGINT');
  expect(interrupted).toMatchObject({ code: 130, stdout: '' });
  expect(interrupted.stderr).toContain(
    `Interrupted in ${file}, of which either all or no trips are imported. Repeat the command`,
  );
  await endWhileStaging('SIGKILL');
  expect(await askWaybridge(args, settings)).toMatchObject({
    trip_count: 500,
    created_count: 500,
    point_count: 20_000,
    vehicle_count: 7,
  });

  async function endWhileStaging(signal: NodeJS.Signals) {
    const child = spawnWaybridge([...args, '--json'], settings);
    const outcome = outcomeOf(child);
    // Killed once some of the trips are staged: the log of the database, which a closed one has not, has grown.
    const log = join(settings.DATA_DIR, 'waybridge.db-wal');
    await expect
      .poll(
        () =>
          stat(log).then(
            ({ size }) => size,
            () => 0,
          ),
        { interval: 5 },
      )
      .toBeGreaterThan(300_000);
    child.kill(signal);
    return outcome;
  }
});
