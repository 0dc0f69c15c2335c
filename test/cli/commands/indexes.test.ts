import { expect, test } from 'vitest';

import { everyStore } from '../../../server/database/all-stores.ts';
import { driverOf } from '../../../server/database/database.ts';
import { missingIndexes, undeclaredIndexes } from '../../../server/database/indexes.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { askCommand, runCommand } from '../../processes/run-command.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { testService, openTestDatabase } from '../../services/database.ts';

const ON_ANOTHER = { MONGODB_URI: 'mongodb://user:secret@db.example/fleet?retryWrites=true' };

async function shardCommands(settings = {}): Promise<string[]> {
  const { commands } = await askCommand(['indexes', '--sharded', '--print'], settings);
  return commands as string[];
}

/** The indexes of a collection after some commands, by names, of which those that are unique are true. */
function after(commands: readonly string[], { collection, schema }: ReturnType<typeof everyStore>[number]) {
  const indexes = new Map(
    schema
      .indexes()
      .map(([fields, { unique, partialFilterExpression }]) => [
        Object.entries(fields).flat().join('_'),
        { fields: Object.keys(fields), unique: unique === true, isPartial: partialFilterExpression !== undefined },
      ]),
  );
  for (const command of commands) {
    const [, name, does, text = ''] = /^db\.(\w+)\.(\w+)\((.*)\);$/.exec(command) ?? [];
    if (name !== collection) continue;
    const [value, { unique = false } = {}] = JSON.parse(`[${text}]`);
    if (does === 'dropIndex') expect(indexes.delete(value)).toBe(true);
    else {
      const fields = Object.keys(value);
      indexes.set(Object.entries(value).flat().join('_'), { fields, unique, isPartial: false });
    }
  }
  return [...indexes.values()];
}

/** Commands that shard a collection by vehicle, whose keys are unique in the vehicle. */
const byVehicle = (collection: string) => [
  `db.${collection}.dropIndex("key_1");`,
  `db.${collection}.createIndex({"key":1});`,
  `db.${collection}.createIndex({"vehicle_key":1,"key":1}, {"unique":true});`,
  `sh.shardCollection("waybridge.${collection}", {"vehicle_key":1,"key":1}, true);`,
];

test('what grows with the fleet, and uploads, are sharded by the keys that server/README.md names', async () => {
  expect(await shardCommands()).toEqual([
    'db = db.getSiblingDB("waybridge");',
    'sh.enableSharding("waybridge");',
    'sh.shardCollection("waybridge.changes", {"account_key":1});',
    'sh.shardCollection("waybridge.device_minutes", {"vehicle_key":1,"device_key":1,"minute":1});',
    'db.devices.dropIndex("key_1");',
    'db.devices.createIndex({"key":1});',
    'sh.shardCollection("waybridge.devices", {"account_key":1,"serial_folded":1});',
    ...byVehicle('rule_events'),
    'sh.shardCollection("waybridge.trip_points", {"vehicle_key":1,"trip_key":1,"pack":1,"number":1});',
    'db.trips.dropIndex("key_1");',
    'db.trips.createIndex({"key":1});',
    'sh.shardCollection("waybridge.trips", {"vehicle_key":1});',
    'sh.shardCollection("waybridge.upload_pieces", {"upload_key":1,"number":1});',
    ...byVehicle('vehicle_events'),
    ...byVehicle('visits'),
  ]);
});

test('MongoDB accepts them: an index begins with each shard key, and so does every unique index', async () => {
  const commands = await shardCommands();
  const sharded = everyStore().filter(({ schema }) => schema.options.shardKey);
  expect(sharded.length).toBeGreaterThan(0);
  for (const model of sharded) {
    const shardKey = Object.keys(model.schema.options.shardKey ?? {});
    for (const field of shardKey) expect(model.schema.path(field)?.options).toBeDefined();
    const indexes = after(commands, model);
    const beginning = ({ fields }: { readonly fields: readonly string[] }) => fields.slice(0, shardKey.length);
    expect(indexes.filter(({ isPartial }) => !isPartial).map(beginning)).toContainEqual(shardKey);
    for (const index of indexes.filter(({ unique }) => unique)) expect(beginning(index)).toEqual(shardKey);
  }
});

test('the database is that of MONGODB_URI, without its password', async () => {
  const commands = await shardCommands(ON_ANOTHER);
  expect(commands[0]).toBe('db = db.getSiblingDB("fleet");');
  expect(commands.join()).not.toContain('secret');
  const { stdout } = await runCommand(['indexes', '--sharded', '--print'], ON_ANOTHER);
  expect(stdout).toBe(commands.map((line) => `${line}\n`).join(''));
});

test('a start leaves the indexes as they are that the commands have replaced and created', async () => {
  const config = readConfig({ DATA_DIR: await temporaryFolder() });
  const first = await openTestDatabase(config, true, { migrations: 'run' });
  const trips = () => driverOf(testService).collection('trips');
  await trips().dropIndex('key_1');
  await trips().createIndex({ key: 1 });
  await driverOf(testService).collection('visits').createIndex({ vehicle_key: 1, key: 1 }, { unique: true });
  await first.close();

  const second = await openTestDatabase(config, true, { migrations: 'run' });
  expect((await trips().indexes()).find(({ name }) => name === 'key_1')).not.toHaveProperty('unique');
  expect([await missingIndexes(testService), await undeclaredIndexes(testService)]).toEqual([[], []]);
  await second.close();
});
