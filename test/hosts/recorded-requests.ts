import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { vi } from 'vitest';

import { issueIngestKey } from '../../auth/ingest-keys.ts';
import { account } from '../services/account-fixture.ts';
import { testService } from '../services/database.ts';
import type { ingestHost, recordingDevice } from './ingest-host.ts';

/** Folder of recorded requests; absent outside the workplace of the project. */
export const RECORDED = join(import.meta.dirname, '../../../shared/cases/devices');

interface Recorded {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer: string;
}

/** An answer to a recorded request. */
export interface Replayed {
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

/**
 * Sends the recorded requests of a folder to a host, with keys of a new account, which cuts trips as all do by default, in place
 * of the recorded ones. A clock that is set goes with the times at which Traccar forwarded them.
 */
export async function replay({ app }: Awaited<ReturnType<typeof ingestHost>>, folder: string) {
  const owner = await account({ trip_settings: null });
  const forwarder = await issueIngestKey(testService, { account_key: owner.key, device_key: null });
  const known = new Map([
    ['API_KEY', owner.headers['service-api-key']],
    ['FORWARDER_KEY', forwarder.secret],
  ]);
  const translated = (text: string) =>
    [...known].reduce((all, [recorded, ours]) => all.replaceAll(recorded, ours), text);
  const devices: Awaited<ReturnType<typeof recordingDevice>>[] = [];
  const answers: Replayed[] = [];
  for (const { method, path, headers, body, answer } of requestsIn(folder)) {
    const [, forwarded] = /"serverTime":"([^"]+)"/.exec(body ?? '') ?? [];
    if (forwarded !== undefined && vi.isFakeTimers()) vi.setSystemTime(new Date(forwarded));
    const given = Object.entries(headers).map(([name, value]) => [name, translated(value)] as const);
    const basic = (value: string) =>
      value.replace(/base64\((.*)\)/, (_, text: string) => Buffer.from(text).toString('base64'));
    const { statusCode: status, body: text } = await app.inject({
      method,
      url: translated(path),
      headers: {
        host: 'localhost',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...Object.fromEntries(given.map(([name, value]) => [name, basic(value)])),
      },
      ...(body !== undefined && { payload: translated(body) }),
    });
    answers.push({ path, status, text });
    const { key, serial, vehicle_key = '', data } = text.startsWith('{') ? JSON.parse(text) : {};
    const issued = data?.issueDeviceKey?.device_key_secret;
    const recordedKey = /^\{"key":"([\w-]+)"/.exec(answer)?.[1];
    if (recordedKey !== undefined) known.set(recordedKey, key);
    if (issued !== undefined) known.set('DEVICE_KEY', issued);
    if (path === '/api/v2/devices') devices.push({ owner, vehicle_key, device_key: key, serial, secret: '' });
  }
  const isIngest = ({ path }: Replayed) => path.startsWith('/api/v2/ingest');
  return { owner, devices, answers: answers.filter(isIngest), others: answers.filter((one) => !isIngest(one)) };
}

function requestsIn(folder: string): Recorded[] {
  const place = join(RECORDED, folder);
  const file = readdirSync(place).find((name) => name.endsWith('.ndjson')) ?? '';
  const lines = readFileSync(join(place, file), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded);
}
