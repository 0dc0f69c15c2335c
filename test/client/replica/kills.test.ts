import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { SCOPES } from '../../../auth/scopes/scope.ts';
import type { Kind } from '../../../client/replica/record-fields.ts';
import { Replica } from '../../../client/replica/replica.ts';
import { sqliteStore } from '../../../client/replica/sqlite-store.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { httpsFetch } from '../../clients/https-fetch.ts';
import { at } from '../../hosts/ingest-host.ts';
import { clientBundle } from '../../processes/client-bundle.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { serveProcess } from '../../processes/waybridge-process.ts';
import { account, appFor, device, group, user, vehicle } from '../../services/account-fixture.ts';
import { openTestDatabase, testService } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';
import { copiedRecords, kindsOf, queryRecords, type Reader, withoutEmpty } from './queried-records.ts';

type Headers = Readonly<Record<string, string>>;

/** A program that follows an account, as its reader. */
interface Follower {
  readonly name: string;
  readonly reader: Reader;
  readonly headers: Headers;
  readonly hasZones: boolean;
  /** Kinds of records of which it must have some. */
  readonly has: readonly Kind[];
}

/** Kills of programs and of the service, in turn. */
const ROUNDS = runSize(4, 200);

/** Program that follows the service until it is killed. */
const PROGRAM = `
  import { createRequire } from 'node:module';
  import { replica, sqliteStore } from './client.mjs';
  const [url, file, headers, root] = process.argv.slice(2);
  const { DatabaseSync } = createRequire(root)('@photostructure/sqlite');
  const credentials = { headers: async () => JSON.parse(headers) };
  await replica({ url, credentials }, sqliteStore(new DatabaseSync(file))).follow({ signal: new AbortController().signal });`;

/** An account whose vehicle sends positions, and an app for each of some users of it. */
async function makeFleet() {
  const { key, headers } = await account();
  const north = await group(key, 'North');
  const vehicle_key = await vehicle(key, [north]);
  const driver_key = await user(key, [], { account_role: 'driver' });
  const device_key = (await device(key, { vehicle_key })).key;
  const { secret } = await issueIngestKey(testService, { account_key: key, device_key });
  const appOf = async (userKey: string) => (await appFor(userKey, Object.keys(SCOPES))).headers;
  const fleet = { headers, group_key: north.key, vehicle_key, driver_key, secret };
  return {
    ...fleet,
    restricted: await appOf(await user(key, [north])),
    driver: await appOf(driver_key),
    app: await appOf(await user(key)),
  };
}

type Fleet = Awaited<ReturnType<typeof makeFleet>>;

/** Makes a data folder with two accounts; the second will have privacy zones. */
async function makeFolder() {
  const DATA_DIR = await temporaryFolder();
  const database = await openTestDatabase(readConfig({ DATA_DIR }), true);
  const fleets = [await makeFleet(), await makeFleet()] as const;
  await database.close();
  return { DATA_DIR, fleets };
}

test(
  'copies of programs and services that are killed at any time equal what the service answers',
  async () => {
    const { DATA_DIR, fleets } = await makeFolder();
    const [open, zoned] = fleets;
    const followers: readonly Follower[] = [
      { name: 'owner', reader: 'owner', headers: open.headers, hasZones: false, has: ['event', 'trip', 'vehicle'] },
      { name: 'app of one group', reader: 'app', headers: open.restricted, hasZones: false, has: ['vehicle'] },
      { name: 'driver', reader: 'driver', headers: open.driver, hasZones: false, has: ['trip', 'user'] },
      {
        name: 'app in an account with privacy zones',
        reader: 'app',
        headers: zoned.app,
        hasZones: true,
        has: ['vehicle'],
      },
    ];
    let service = await serveProcess({ DATA_DIR }, '--no-demo');
    const ca = join(DATA_DIR, 'tls/ca.pem');
    const fetch = await httpsFetch(await readFile(ca, 'utf8'));
    await writeFile(join(DATA_DIR, 'client.mjs'), await clientBundle());
    await writeFile(join(DATA_DIR, 'program.mjs'), PROGRAM);
    const fileOf = ({ name }: Follower) => join(DATA_DIR, `${name}.db`);
    const start = (follower: Follower) => {
      const args = [service.url, fileOf(follower), JSON.stringify(follower.headers), import.meta.filename];
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca };
      return spawn(process.execPath, [join(DATA_DIR, 'program.mjs'), ...args], {
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    };
    const programs = followers.map(start);
    const kill = async (child: ChildProcess) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };
    onTestFinished(async () => {
      await Promise.all([...programs.map((child) => child.kill('SIGKILL')), service.end('SIGKILL')]);
    });

    const send = async (path: string, headers: Headers, body: object) => {
      const options = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      // A service that was killed answers nothing.
      return fetch(`${service.url}${path}`, options).then(
        (response) => response.json(),
        () => ({}),
      );
    };
    const mutate = ({ headers }: Fleet, mutation: string) =>
      send('/graphql', headers, { query: `mutation { ${mutation} { key } }` });
    const change = async (fleet: Fleet, step: number) => {
      const { vehicle_key, group_key, driver_key, secret } = fleet;
      const groups = step % 3 === 0 ? '' : `"${group_key}"`;
      const points = [0, 5, 10].map((seconds) =>
        at(step * 600 + seconds, ...(step % 2 === 0 ? ['trip_hard_brake'] : [])),
      );
      await Promise.all([
        send('/api/v2/ingest', { authorization: `Bearer ${secret}` }, { points }),
        mutate(
          fleet,
          `updateVehicle(key: "${vehicle_key}", input: { group_keys: [${groups}], driver_key: "${driver_key}" })`,
        ),
        mutate(fleet, `createVehicle(input: { nickname: "Van ${step}", group_keys: ["${group_key}"] })`),
        mutate(fleet, `updateUser(key: "${driver_key}", input: { first_name: "Ada ${step}" })`),
      ]);
    };
    await mutate(zoned, 'createPrivacyZone(input: { lat: 53.0758, lon: 8.8, radius_meters: 200 })');

    for (let round = 0; round < ROUNDS; round++) {
      const changes = Promise.all(fleets.map((fleet) => change(fleet, round)));
      const victim = round % 2 === 0 ? (round / 2) % followers.length : -1;
      const [program, follower] = [programs[victim], followers[victim]];
      if (program && follower) {
        await kill(program);
        await changes;
        programs[victim] = start(follower);
      } else {
        await service.end('SIGKILL');
        await changes;
        service = await serveProcess(service.settings, '--no-demo');
      }
    }
    await Promise.all(fleets.map((fleet) => change(fleet, ROUNDS)));
    await Promise.all(programs.map(kill));

    for (const follower of followers) {
      const { name, reader, headers, hasZones, has } = follower;
      const ask = async (query: string) => {
        const { data, errors } = (await send('/graphql', headers, { query })) as {
          data: Record<string, unknown>;
          errors?: unknown;
        };
        expect(errors).toBeUndefined();
        return data;
      };
      const copy = new Replica(
        { url: service.url, credentials: { headers: async () => headers }, fetch: fetch as typeof globalThis.fetch },
        sqliteStore(new DatabaseSync(fileOf(follower))),
      );
      // Trips in progress are logged once a second.
      await expect
        .poll(async () => {
          await copy.sync();
          return [await copiedRecords(copy), name];
        })
        .toEqual([withoutEmpty(await queryRecords(ask, reader, kindsOf(reader, hasZones))), name]);
      expect(Object.keys(await copiedRecords(copy))).toEqual(expect.arrayContaining([...has]));
    }
  },
  10_000 * ROUNDS + 200_000,
);
