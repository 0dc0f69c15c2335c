import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { openDatabase } from '../../../server/database/database.ts';
import { askCommand } from '../../processes/run-command.ts';
import { accountFolder } from '../../services/account-folder.ts';

const BREMEN = { street: null, city: 'Bremen', state: 'Bremen', zipcode: null, country: 'Germany' };

/** A data folder with a trip of each vehicle: two in Bremen, one at sea. */
async function folderWithTrips() {
  const { DATA_DIR, account } = await accountFolder();
  const file = join(DATA_DIR, 'trips.csv');
  const places = [
    ['Van', 53.0758, 8.8072],
    ['Car', 53.0768, 8.8072],
    ['Ship', 54.5, 6.5],
  ] as const;
  const lines = places.flatMap(([car, lat, lon]) =>
    [0, 1, 2].map((minute) => `${car},${lat + minute / 1000},${lon},2026-03-01T12:0${minute}:00Z`),
  );
  await writeFile(file, ['car,lat,lon,time', ...lines].join('\n'));
  const of = ['--account', account];
  await askCommand(['trips', 'import', file, ...of, '--create-vehicles', '--map', 'vehicle=car'], { DATA_DIR });
  return { DATA_DIR, of };
}

/** Changes trips as they are stored, and reads them. */
async function inStore(DATA_DIR: string, filter: object, update: Record<string, unknown>) {
  const database = await openDatabase(readConfig({ DATA_DIR }), false);
  try {
    await TripStore.updateMany(unrestricted(database.service), filter, update);
    return await TripStore.find(unrestricted(database.service)).sort({ 'start_point.point.lat': 1 });
  } finally {
    await database.close();
  }
}

const NONE = { 'start_point.address': null, 'end_point.address': null };

test('Trips that were stored without addresses get them; others keep theirs, and a repeated command changes nothing', async () => {
  const { DATA_DIR, of } = await folderWithTrips();
  const [van] = await inStore(DATA_DIR, {}, NONE);
  const own = { ...BREMEN, street: 'Marktplatz 1' };
  await inStore(DATA_DIR, { key: van?.key }, { 'start_point.address': own });
  expect(await askCommand(['trips', 'addresses'], { DATA_DIR })).toEqual({
    trip_count: 3,
    addressed_count: 2,
    streets_due_count: 0,
  });
  const { nodes } = await askCommand(['trips', 'list', ...of], { DATA_DIR });
  const seen = (nodes as { start_point: { address: unknown }; end_point: { address: unknown } }[]).map((trip) => [
    trip.start_point.address,
    trip.end_point.address,
  ]);
  expect(seen).toHaveLength(3);
  expect(seen).toEqual(
    expect.arrayContaining([
      [own, BREMEN],
      [BREMEN, BREMEN],
      [null, null],
    ]),
  );
  expect(await askCommand(['trips', 'addresses'], { DATA_DIR })).toMatchObject({ trip_count: 1, addressed_count: 0 });
});

test('With a geocoder, the command leaves the streets of trips that have none to the service', async () => {
  const { DATA_DIR } = await folderWithTrips();
  const settings = { DATA_DIR, GEOCODER_URL: 'http://127.0.0.1:1/reverse' };
  expect(await askCommand(['trips', 'addresses'], settings)).toMatchObject({ trip_count: 3, streets_due_count: 3 });
  const trips = await inStore(DATA_DIR, {}, {});
  expect(trips.map(({ streets_due, end_point }) => streets_due?.getTime() === end_point.timestamp.getTime())).toEqual([
    true,
    true,
    true,
  ]);
});
