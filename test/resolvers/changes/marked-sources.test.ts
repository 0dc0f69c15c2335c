import { mongo } from 'mongoose';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { loggedStores } from '../../../models/store/logged-model.ts';
import { markedAmong, recordsOf } from '../../../models/changes/change-sources.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost } from '../../hosts/ingest-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

/** Records whose changes get their entries by {@link numberChanges} alone. */
async function change(headers: Readonly<Record<string, string>>, mutation: string) {
  await host.ask(`mutation { ${mutation} }`, headers);
}

async function entriesOf(headers: Readonly<Record<string, string>>, cursor: string) {
  const query = `{ changes(after: "${cursor}") { nodes { kind happened } page_info { end_cursor } } }`;
  return (await host.ask(query, headers)).changes as {
    readonly nodes: unknown[];
    readonly page_info: { readonly end_cursor: string };
  };
}

async function cursorOf(headers: Readonly<Record<string, string>>) {
  const { changes } = await host.ask('{ changes { page_info { end_cursor } } }', headers);
  return (changes as { readonly page_info: { readonly end_cursor: string } }).page_info.end_cursor;
}

test('where the database has no unions, every kind of record is read, and it is asked for them once', async () => {
  const sources = loggedStores.map(recordsOf);
  const [first] = loggedStores;
  const asked = vi.spyOn(first?.store.driver(testService) as mongo.Collection, 'aggregate').mockImplementation(() => {
    throw new mongo.MongoServerError({ code: 40324, message: "Unrecognized pipeline stage name: '$unionWith'" });
  });
  onTestFinished(() => asked.mockRestore());
  const unions = { areThere: null };
  expect(await markedAmong(testService, sources, {}, unions)).toEqual(sources);
  expect(await markedAmong(testService, sources, {}, unions)).toEqual(sources);
  expect(asked).toHaveBeenCalledTimes(1);
  // Known to have them, it has failed for another reason, and nothing is passed over.
  await expect(markedAmong(testService, sources, {}, { areThere: true })).rejects.toThrow('$unionWith');
});

test('only the kinds of records that have changed are read, by one command for all that have not', async () => {
  const { headers } = await account();
  const cursor = await cursorOf(headers);
  await change(headers, 'createGroup(name: "North") { key }');
  await change(headers, 'createVehicle(input: { nickname: "Van" }) { key }');
  const sent = await queriesDuring(() => numberChanges(testService));
  const reads = sent.filter(({ method }) => method === 'aggregate' || method === 'find');
  expect(reads.map(({ method }) => method)).toEqual(['aggregate', 'find', 'find']);
  expect(new Set(reads.slice(1).map(({ collection }) => collection))).toEqual(new Set(['groups', 'vehicles']));
  expect((await entriesOf(headers, cursor)).nodes).toEqual([
    { kind: 'group', happened: 'created' },
    { kind: 'vehicle', happened: 'created' },
  ]);
  expect((await queriesDuring(() => numberChanges(testService))).map(({ method }) => method)).toEqual(['aggregate']);
});
