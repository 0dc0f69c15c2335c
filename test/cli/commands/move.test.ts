import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mongo } from 'mongoose';
import { expect, test } from 'vitest';

import { dataPlace, openData } from '../../../cli/move/data-place.ts';
import { type MovedCollection, moveData } from '../../../cli/move/move-data.ts';
import { mongodbProxy } from '../../hosts/mongodb-proxy.ts';
import { askCommand, runCommand } from '../../processes/run-command.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

const TRACK = [0, 10, 20].map((second) => ({ lat: 53.07, lon: 8.8 + second / 1000, second }));

let made: ReturnType<typeof makeInstallation> | undefined;

/** A data folder with an account, a vehicle and a trip, which are the same in all tests. */
async function installation() {
  made ??= makeInstallation();
  const { folder, ...keys } = await made;
  const settings = { DATA_DIR: await temporaryFolder() };
  await cp(folder, settings.DATA_DIR, { recursive: true });
  return { settings, ...keys };
}

async function makeInstallation() {
  const settings = { DATA_DIR: await mkdtemp(join(tmpdir(), 'waybridge-moved-')) };
  const { key: account } = await askCommand(['account', 'add', '--nickname', 'Bakery'], settings);
  const vehicle = await askCommand(['vehicle', 'add', '--account', String(account), '--nickname', 'Van'], settings);
  const file = join(settings.DATA_DIR, 'trip.csv');
  const rows = TRACK.map(
    ({ lat, lon, second }) => `2026-03-01T12:00:${String(second).padStart(2, '0')}Z,${lat},${lon},one`,
  );
  await writeFile(file, ['time,lat,lon,trip', ...rows, ''].join('\n'));
  await askCommand(['trips', 'import', file, '--vehicle', String(vehicle.key), '--map', 'trip=trip'], settings);
  return { folder: settings.DATA_DIR, account: String(account), vehicle: String(vehicle.key) };
}

/** Stores numbers of types that a JavaScript number would not have, as a database shell does. */
async function storeShellNumbers(folder: string): Promise<void> {
  const { db, close } = await openData(dataPlace(folder));
  await db
    .collection('accounts')
    .updateMany({}, { $set: { double: new mongo.Double(5), long: mongo.Long.fromInt(5) } });
  await close();
}

async function move(settings: Readonly<Record<string, string>>, to: string): Promise<readonly MovedCollection[]> {
  return (await askCommand(['move', '--to', to], settings)).collections as MovedCollection[];
}

/** Names, counts and hashes: the part that two moves of the same data share. */
function summary(collections: readonly MovedCollection[]) {
  return collections.map(({ name, documents, sha256 }) => [name, documents, sha256]);
}

test('all data goes to MongoDB and back, with the same counts and hashes, and is used there', async () => {
  const { settings, account, vehicle } = await installation();
  const trips = ['trips', 'list', '--account', account, '--vehicle', vehicle];
  const before = await askCommand(trips, settings);
  await storeShellNumbers(settings.DATA_DIR);
  const { uri } = await mongodbProxy();

  const there = await move(settings, uri);
  expect(there.find(({ name }) => name === 'trip_points')).toMatchObject({ documents: 1, copied: 1 });
  expect(await askCommand(trips, { ...settings, MONGODB_URI: uri })).toEqual(before);
  expect(await askCommand(['migrate', '--status'], { ...settings, MONGODB_URI: uri })).toMatchObject({
    undeclared_indexes: [],
  });

  const DATA_DIR = await temporaryFolder();
  const back = await move({ ...settings, MONGODB_URI: uri }, DATA_DIR);
  expect(summary(back)).toEqual(summary(there));
  expect(await askCommand(trips, { DATA_DIR })).toEqual(before);
  await askCommand(['vehicle', 'add', '--account', account, '--nickname', 'Bus'], { DATA_DIR });
});

test('messages between servers stay behind, so that servers there make the place for them that they need', async () => {
  const { settings } = await installation();
  const { db, close } = await openData(dataPlace(settings.DATA_DIR));
  const messages = await db.createCollection('server_messages', { capped: true, size: 4096 });
  await messages.insertOne({ sender: 'a server' });
  await close();
  const DATA_DIR = await temporaryFolder();
  const moved = await move(settings, DATA_DIR);
  expect(moved.map(({ name }) => name)).toContain('accounts');
  const there = await openData(dataPlace(DATA_DIR));
  expect(await there.db.listCollections({ name: 'server_messages' }).toArray()).toEqual([]);
  await there.close();
});

test('a move that was interrupted goes on, and until it is done nobody uses the data there', async () => {
  const { settings } = await installation();
  const { uri } = await mongodbProxy();
  const there = { ...settings, MONGODB_URI: uri };
  const from = await openData(dataPlace(settings.DATA_DIR));
  const to = await openData(dataPlace(uri));
  const end = (collection: string) => {
    if (collection === 'trips') throw new Error('Interrupted');
  };
  await expect(moveData(from, to, { onProgress: end })).rejects.toThrow('Interrupted');
  await Promise.all([from.close(), to.close()]);

  const { code, stderr } = await runCommand(['account', 'list'], there);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/repeat waybridge move/)]);
  const { code: backwards, stderr: reason } = await runCommand(['move', '--to', await temporaryFolder()], there);
  expect([backwards, reason]).toEqual([1, expect.stringMatching(/the move to it was interrupted/)]);

  const collections = await move(settings, uri);
  expect(collections.find(({ name }) => name === 'trips')).toMatchObject({ documents: 1, copied: 0 });
  expect(collections.find(({ name }) => name === 'vehicles')).toMatchObject({ documents: 1, copied: 1 });
  expect((await askCommand(['account', 'list'], there)).nodes).toHaveLength(1);
});

test('data that has changed since an interrupted move is found by its hash, and is not used', async () => {
  const { settings, account } = await installation();
  const { uri } = await mongodbProxy();
  const places = () => Promise.all([settings.DATA_DIR, uri].map((address) => openData(dataPlace(address))));
  const [from, to] = await places();
  if (!from || !to) throw new Error('Not opened');
  const end = (collection: string) => {
    if (collection === 'accounts') throw new Error('Interrupted');
  };
  await expect(moveData(from, to, { onProgress: end })).rejects.toThrow('Interrupted');
  await Promise.all([from.close(), to.close()]);
  await askCommand(['account', 'update', account, '--nickname', 'Brewery'], settings);

  const { code, stderr } = await runCommand(['move', '--to', uri], settings);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The collection accounts differs: 1 documents in .*, 1 in/),
  ]);
  expect((await runCommand(['account', 'list'], { MONGODB_URI: uri })).code).toBe(1);
});

test('a place with data, the place where the data is, and none are rejected', async () => {
  const { settings } = await installation();
  const other = await temporaryFolder();
  await askCommand(['account', 'add', '--nickname', 'Rival'], { DATA_DIR: other });
  const rejection = async (...to: readonly string[]) => {
    const { code, stderr } = await runCommand(['move', ...to], settings);
    return [code, stderr];
  };
  expect(await rejection('--to', other)).toEqual([
    1,
    expect.stringMatching(/ already has data; give an empty database/),
  ]);
  expect(await rejection('--to', settings.DATA_DIR)).toEqual([2, expect.stringMatching(/^--to is where the data is/)]);
  expect(await rejection()).toEqual([2, expect.stringMatching(/^Give either --to or --to-stdin/)]);
});

test('data that a service uses is rejected', async () => {
  const DATA_DIR = await temporaryFolder();
  const inUse = await openData(dataPlace(DATA_DIR));
  await inUse.db.collection('accounts').insertOne({});
  const { code, stderr } = await runCommand(['move', '--to', await temporaryFolder()], { DATA_DIR });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is in use: stop the service first\n$/)]);
  await inUse.close();
});

test('an address with a password is read from standard input, and no message shows it', async () => {
  const DATA_DIR = await temporaryFolder();
  const address = 'mongodb://ada:rye-bread@db.example.com/waybridge?unknown=rye-bread';
  const { code, stderr } = await runCommand(['move', '--to-stdin'], { DATA_DIR }, `${address}\n`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The database at mongodb:\/\/db\.example\.com\/waybridge cannot be used/);
  expect(stderr).not.toContain('rye-bread');
});
