import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SchemaType } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { everyStore } from '../../server/database/all-stores.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { closeOfflineTrips } from '../../tracking/recording/close-offline-trips.ts';
import { readConfig } from '../../server/configuration/config.ts';
import { driverOf } from '../../server/database/database.ts';
import { CHANGED_COMMANDS, EXPECTED_CHANGES, OPTIONAL_FIELDS } from '../fixtures/expected-changes.ts';
import { differences, parsed, readRelease, releases, repeat, withoutPort } from '../fixtures/release-data.ts';
import { type HttpsFetch, httpsFetch } from '../clients/https-fetch.ts';
import { authorize } from '../hosts/oauth-host.ts';
import { runCommand } from '../processes/run-command.ts';
import { type ServiceProcess, serveProcess } from '../processes/waybridge-process.ts';
import { testService, openTestDatabase } from '../services/database.ts';

const ORIGIN = 'https://www.example.com';

// In their order: answers are compared before the data is added to.
for (const name of releases())
  describe(`this program on ${name}, which an earlier one made`, { shuffle: false }, () => {
    const release = readRelease(name);
    const { headers, secrets } = release;
    let folder: string;
    let service: ServiceProcess;
    let fetch: HttpsFetch;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
      await release.copyTo(folder);
      service = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error' });
      fetch = await httpsFetch(await readFile(join(folder, 'tls/ca.pem'), 'utf8'));
    });
    afterAll(async () => {
      await service.end();
      await rm(folder, { recursive: true });
    });

    const ask = async (as: string, method: string, path: string, body: unknown = null) =>
      repeat(fetch, service.url, headers[as] ?? {}, { method, path, body });
    const command = async (args: readonly string[]) => runCommand(args, service.settings);

    test.each(release.exchanges)('answers as it did: $as $method $path $body.query', async (exchange) => {
      const { as, method, path, body, status, answer } = exchange;
      const now = await ask(as, method, path, body);
      const found = differences({ status, answer }, now);
      expect(found.filter((place) => !isExpected(path, place))).toEqual([]);
    });

    function isExpected(path: string, place: string): boolean {
      return EXPECTED_CHANGES.some(
        (change) =>
          (change.releases === 'every' || change.releases.includes(name)) &&
          change.path.test(path) &&
          change.place.test(place),
      );
    }

    const unchanged = release.commands.filter(({ args }) => !CHANGED_COMMANDS.test(args.join(' ')));
    test.each(unchanged)('prints what it did: $args', async ({ args, answer }) => {
      const { code, stdout, stderr } = await command(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(differences(answer, parsed(withoutPort(stdout)))).toEqual([]);
    });

    test('closes the trips that were open, which then read as before', async () => {
      const database = await openTestDatabase(readConfig({ DATA_DIR: folder }), false);
      await closeOfflineTrips(testService, new AbortController().signal);
      const open = await TripStore.countDocuments(unrestricted(testService), { 'recording.open': true });
      await database.close();
      expect(open).toBe(0);
      const trips = release.exchanges.filter(({ body }) => JSON.stringify(body).startsWith('{"query":"{ trips('));
      expect(trips.length).toBeGreaterThan(5);
      for (const { as, method, path, body, status, answer } of trips) {
        const found = differences({ status, answer }, await ask(as, method, path, body));
        expect(found.filter((place) => !isExpected(path, place))).toEqual([]);
      }
    });

    test('lets an app go on with its refresh token, once', async () => {
      const refresh = async (refresh_token: string) => {
        const { client_id = '', client_secret = '' } = secrets;
        const answer = await fetch(`${service.url}/oauth/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id, client_secret }),
        });
        return { status: answer.status, body: (await answer.json()) as Record<string, string> };
      };
      const { status, body } = await refresh(secrets.refresh_token ?? '');
      expect(status).toBe(200);
      const fresh = { authorization: `Bearer ${body.access_token}` };
      const account = { method: 'GET', path: '/api/v2/account', body: null };
      expect(await repeat(fetch, service.url, fresh, account)).toMatchObject({
        status: 200,
        answer: { key: secrets.account },
      });
      expect((await refresh(body.refresh_token ?? '')).status).toBe(200);
    });

    test('shows the trips of a vehicle to a page with a special-purpose token', async () => {
      const { van, client_id, client_secret } = secrets;
      const { answer } = await repeat(fetch, service.url, headers.restricted_app ?? {}, {
        method: 'POST',
        path: '/api/special-purpose/v1/token',
        body: {
          client_id,
          client_secret,
          sub: `vehicle:${van}`,
          aud: ORIGIN,
          roles: 'service://<service-trips-map />',
          scope: 'loc-past',
        },
      });
      const { token } = answer as { readonly token: string };
      const query = `{ trips(vehicle_key: "${van}", started_after: "2026-03-01") { nodes { path { points } point_count } } }`;
      const map = { authorization: `Bearer ${token}`, origin: ORIGIN };
      const shown = await repeat(fetch, service.url, map, { method: 'POST', path: '/graphql', body: { query } });
      expect(shown).toMatchObject({ status: 200, answer: { data: { trips: { nodes: [{ point_count: 40 }, {}] } } } });
    });

    test('takes positions with keys of that time, and knows which are there already', async () => {
      const points = [
        { point: { lat: 53.08, lon: 8.81 }, timestamp: '2026-03-01T08:00:00.000Z', speed: 25.5 },
        { point: { lat: 53.2, lon: 8.9 }, timestamp: '2026-03-09T08:00:00.000Z' },
      ];
      expect(await ask('van_device', 'POST', '/api/v2/ingest', { points })).toEqual({
        status: 200,
        answer: { accepted: 1, duplicates: 1, refused: null },
      });
      expect((await ask('revoked_device', 'POST', '/api/v2/ingest', { points })).status).toBe(401);
    });

    test('lets a website user of that time go on writing', async () => {
      const post = { title: 'Written later', content: 'by the same user', status: 'publish' };
      const { status } = await ask('author', 'POST', '/wp-json/wp/v2/posts', post);
      expect(status).toBe(201);
    });

    test('signs in the owner with the password of that time, for an app of that time', async () => {
      const { owner_email: email = '', owner_password: password = '', client_id = '' } = secrets;
      const host = { issuer: service.url, fetch };
      const callback = await authorize(host, { email, password }, { client_id, scope: 'account.read' });
      expect(callback.searchParams.get('code')).toMatch(/^[\w-]+$/);
    });

    test('exports the content of the website', async () => {
      const { code, stderr } = await command(['content', 'export', join(folder, 'export.json')]);
      expect([code, stderr]).toEqual([0, '']);
    });

    test('has run its migrations, and misses no index', async () => {
      const { stdout } = await command(['migrate', '--status', '--json']);
      const { data_version, program_version, migrations } = JSON.parse(stdout);
      expect(data_version).toBe(program_version);
      for (const { state } of migrations) expect(state).toBe('done');
    });

    test('every field that is stored without a default is in the data: a new one needs a default or a migration', async () => {
      const database = await openTestDatabase(readConfig({ DATA_DIR: folder }), false);
      const missing: string[] = [];
      let documents = 0;
      for (const { name, collection, schema } of everyStore()) {
        for await (const document of driverOf(database.service).collection(collection).find()) {
          documents += 1;
          missing.push(...missingFrom(schema, document).map((path) => `${name}.${path}`));
        }
      }
      await database.close();
      expect(documents).toBeGreaterThan(100);
      // Of the website's settings only those are stored that were ever changed.
      const unexpected = [...new Set(missing)].filter((path) => !path.startsWith('SiteSettings.'));
      expect(unexpected.filter((path) => !OPTIONAL_FIELDS.includes(path))).toEqual([]);
    });
  });

/** As much of a Mongoose schema as is read here. */
interface Paths {
  eachPath(visit: (name: string, type: SchemaType) => void): unknown;
}

/** Paths of a schema that have no default, and no value in a document. */
function missingFrom(schema: Paths, document: Readonly<Record<string, unknown>>, prefix = ''): string[] {
  const missing: string[] = [];
  schema.eachPath((name, type) => {
    const value = document[name];
    if (value === undefined && !hasDefault(type)) missing.push(prefix + name);
    const inner = (type as { readonly schema?: Paths }).schema;
    if (!inner || typeof value !== 'object' || value === null) return;
    for (const one of [value].flat()) missing.push(...missingFrom(inner, one as typeof document, `${prefix}${name}.`));
  });
  return missing;
}

/** A default that reading gives, see `models/store/defaults-on-read.ts`; the one of an `_id` is made when it is stored. */
function hasDefault({ options, instance }: SchemaType): boolean {
  const { default: given } = options as { readonly default?: unknown };
  return instance === 'Array' || instance === 'Mixed' || (given !== undefined && typeof given !== 'function');
}
