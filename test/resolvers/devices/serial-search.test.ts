import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { DeviceStore } from '../../../models/vehicles/device.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { addDevice } from '../../../resolvers/devices/write-device.ts';
import { type AskGraphql, graphqlClient } from '../../clients/graphql-client.ts';
import { account, appFor, device, group, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';

useDatabase();

type Headers = Readonly<Record<string, string>>;

const DEVICES = 120;

/** Letters of two cases, letters whose lower case has another length or depends on the next, pairs of surrogates. */
const CHARACTERS = [
  ...'abAB12- .*+?()[]{}^$|\\/\0',
  ...['I', 'i', 'İ', 'ı', 'Σ', 'ς', 'σ', 'ß', 'é', 'e\u0301', '\ufffd', '😀', '😁', '𐐀', '𐐨'],
];
const varied = fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 1, maxLength: 9 });
/** Serials of few characters have many of each other's grams in another order. */
const alike = fc.string({ unit: fc.constantFrom(...'aB1'), minLength: 4, maxLength: 14 });
const pairs = fc.string({ unit: fc.constantFrom(...'😀😁𐐀'), minLength: 2, maxLength: 7 });
const [serials = []] = fc.sample(
  fc.uniqueArray(fc.oneof(varied, alike, pairs), {
    minLength: DEVICES,
    maxLength: DEVICES,
    selector: (serial) => serial.toLowerCase(),
  }),
  { numRuns: 1, seed: 7 },
);

const partOfSerial = fc
  .record({ serial: fc.constantFrom(...serials), start: fc.nat(), length: fc.nat(11), isUpper: fc.boolean() })
  .map(({ serial, start, length, isUpper }) => {
    const characters = [...serial];
    const from = start % characters.length;
    const part = characters.slice(from, from + length + 1).join('');
    return isUpper ? part.toUpperCase() : part;
  });

let ask: AskGraphql;
/** Callers, and the serials that each may see, in order of creation. */
let callers: { readonly headers: Headers; readonly seen: readonly string[] }[];

beforeAll(async () => {
  ask = await graphqlClient();
  const own = await account();
  const other = await account();
  const north = await group(own.key, 'North');
  const below = await group(own.key, 'Harbor', north);
  const south = await group(own.key, 'South');
  const places = [[north], [south], [below, south], []];
  const isRemoved = (at: number) => at % 10 === 9;
  for (const [at, serial] of serials.entries()) {
    const status = isRemoved(at) ? 'removed' : at % 2 === 0 ? 'pending' : 'installed';
    await device(own.key, { serial, status, groups: places[at % places.length] ?? [] });
    if (at % 3 === 0) await device(other.key, { serial });
  }
  const restricted = await appFor(await user(own.key, [north]), ['account.read']);
  callers = [
    { headers: own.headers, seen: serials.filter((_, at) => !isRemoved(at)) },
    { headers: restricted.headers, seen: serials.filter((_, at) => !isRemoved(at) && at % 2 === 0) },
    { headers: other.headers, seen: serials.filter((_, at) => at % 3 === 0) },
  ];
});

interface Devices {
  readonly nodes: readonly { readonly serial: string }[];
  readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
}

/** Serials of all pages of a search. */
async function found(q: string, headers: Headers, first = 1000): Promise<string[]> {
  const query = `query ($q: String, $first: Int, $after: String) {
    devices(q: $q, first: $first, after: $after) { nodes { serial } page_info { end_cursor has_next_page } }
  }`;
  const all: string[] = [];
  for (let after: string | null = null; ; ) {
    const answer = await ask(query, headers, { q, first, after });
    expect(answer).not.toHaveProperty('errors');
    const { nodes, page_info } = (answer.data as { readonly devices: Devices }).devices;
    all.push(...nodes.map(({ serial }) => serial));
    if (!page_info.has_next_page) return all;
    after = page_info.end_cursor;
  }
}

test('devices are found by any part of a serial and by nothing else, page by page, each caller its own', async () => {
  const text = fc.oneof({ weight: 6, arbitrary: partOfSerial }, varied, alike, pairs, fc.constant(''));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 5, max: 40 }), async (q, first) => {
      for (const { headers, seen } of callers) {
        const expected = seen.filter((serial) => serial.toLowerCase().includes(q.toLowerCase()));
        expect(await found(q, headers, first)).toEqual(expected);
      }
    }),
    { numRuns: runSize(30, 600), seed: 7 },
  );
});

test('a text with every gram of a serial in another order does not find it', async () => {
  const { key, headers } = await account();
  await device(key, { serial: 'abcabd-def-xyz' });
  expect(await found('defabd', headers)).toEqual([]);
  expect(await found('abdxyz', headers)).toEqual([]);
  expect(await found('ABD-DEF', headers)).toEqual(['abcabd-def-xyz']);
});

test('a text longer than any serial finds nothing', async () => {
  const { key, headers } = await account();
  await device(key, { serial: 'a'.repeat(255) });
  expect(await found('a'.repeat(255), headers)).toHaveLength(1);
  for (const length of [256, 20_000]) expect(await found('a'.repeat(length), headers)).toEqual([]);
});

test('a device that is added is found', async () => {
  const { key, headers } = await account();
  await addDevice(testService, { account: key, serial: ' WB-İ𐐀😀 ', groups: [] });
  for (const q of ['w', 'B-', '𐐨😀', 'İ𐐀😀', 'wb-']) expect(await found(q, headers)).toEqual(['WB-İ𐐀😀']);
});

test('no read of a device returns the grams of its serial', async () => {
  const { key } = await account();
  const { key: deviceKey } = await device(key);
  const accessScope = unrestricted(testService);
  const read = [
    await DeviceStore.findOne(accessScope, { key: deviceKey }),
    ...(await DeviceStore.find(accessScope, { key: deviceKey })),
    await DeviceStore.findOneAndUpdate(accessScope, { key: deviceKey }, { status: 'pending' }),
  ];
  for (const one of read) {
    expect(one).toHaveProperty('serial_folded');
    expect(one).not.toHaveProperty('serial_grams');
  }
});

test('a device without the grams of its serial is not stored', async () => {
  const { key: account_key } = await account();
  const made = { key: 'k', serial: 'S', serial_folded: 's', status: 'pending' as const, account_key };
  const incomplete = { ...made, subscription_status: 'active' as const };
  await expect(DeviceStore.create(unrestricted(testService), incomplete)).rejects.toThrow('`serial_grams` is required');
  await expect(DeviceStore.insertMany(unrestricted(testService), [incomplete])).rejects.toThrow(
    '`serial_grams` is required',
  );
  expect(await DeviceStore.countDocuments(unrestricted(testService), { account_key })).toBe(0);
});
