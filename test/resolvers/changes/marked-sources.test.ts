import { mongo } from 'mongoose';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { loggedStores } from '../../../models/store/logged-model.ts';
import { readMarks, recordsOf } from '../../../models/changes/change-sources.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { numberWritten } from '../../../notifying/changes/number-written.ts';
import { GroupStore } from '../../../models/account/group.ts';
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
  const { key, headers } = await account();
  await change(headers, 'createVehicle(input: { nickname: "Van" }) { key }');
  for (const max of [1, 2]) {
    const { marked } = await readMarks(testService, sources, { accounts: [key], max }, unions);
    const read = marked.map(({ source }) => source.store.driver(testService).collectionName);
    expect(new Set(read)).toEqual(new Set(['users', 'vehicles']));
  }
  expect(asked).toHaveBeenCalledTimes(1);
  // Known to have them, it has failed for another reason, and nothing is passed over.
  await expect(readMarks(testService, sources, { max: 1 }, { areThere: true })).rejects.toThrow('$unionWith');
});

test('changes of all kinds of records are read by one command', async () => {
  const { headers } = await account();
  const cursor = await cursorOf(headers);
  await change(headers, 'createGroup(name: "North") { key }');
  await change(headers, 'createVehicle(input: { nickname: "Van" }) { key }');
  const sent = await queriesDuring(() => numberChanges(testService));
  const reads = sent.filter(({ method }) => method === 'aggregate' || method === 'find');
  expect(reads.map(({ method }) => method)).toEqual(['aggregate']);
  expect((await entriesOf(headers, cursor)).nodes).toEqual([
    { kind: 'group', happened: 'created' },
    { kind: 'vehicle', happened: 'created' },
  ]);
  expect((await queriesDuring(() => numberChanges(testService))).map(({ method }) => method)).toEqual(['aggregate']);
});

test('a server looks for its changes only among the kinds of records that it has changed', async () => {
  const { headers } = await account();
  await numberWritten(testService);
  await change(headers, 'createGroup(name: "North") { key }');
  const read = vi.spyOn(GroupStore.driver(testService), 'aggregate');
  onTestFinished(() => read.mockRestore());
  await numberWritten(testService);
  const pipelines = read.mock.calls.map(([stages = []]) => stages);
  const others = pipelines.flat().flatMap((stage) => ('$unionWith' in stage ? [stage.$unionWith.coll] : []));
  expect([pipelines.length, others]).toEqual([1, ['changes']]);
});
