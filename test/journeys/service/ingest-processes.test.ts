import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { DeviceStore } from '../../../models/vehicles/device.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { newHolder } from '../../../models/leases/lease-holder.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { httpsClient } from '../../clients/https-client.ts';
import { at, ingestHost, recordingDevice, seenTrips } from '../../hosts/ingest-host.ts';
import { fullTest } from '../../services/run-size.ts';
import { serveProcess } from '../../processes/waybridge-process.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { openTestDatabase, serverSettings, testService } from '../../services/database.ts';

const POINTS = [at(0, 'engine_start'), ...Array.from({ length: 118 }, (_, i) => at(i + 1)), at(119, 'engine_stop')];

/** Sends positions in a request; null where it is not answered. */
type Send = (points: typeof POINTS) => Promise<{ readonly accepted: number; readonly duplicates: number } | null>;

test('two servers store each position once, and what one acknowledged survives its kill', async () => {
  const DATA_DIR = await temporaryFolder();
  const settings = { DATA_DIR, LOG_LEVEL: 'error', ...serverSettings() };
  const service = await serveProcess(settings, '--no-demo');
  const database = await openTestDatabase(readConfig(settings), false);
  const host = await ingestHost();
  onTestFinished(async () => {
    await host.app.close();
    await database.close();
    await service.end();
  });
  const device = await recordingDevice();

  const ask = httpsClient(await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8'));
  const toService: Send = async (points) => {
    const headers = { authorization: `Bearer ${device.secret}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify({ points }) };
    const answer = await ask(`${service.url}/api/v2/ingest`, request).catch(() => null);
    return answer && JSON.parse(answer.text);
  };
  const toHost: Send = async (points) => (await host.post(device.secret, { points })).body as Awaited<ReturnType<Send>>;

  const parts = Array.from({ length: 12 }, (_, part) => POINTS.slice(part * 10, part * 10 + 10));
  const acknowledged = { service: 0, all: new Set<string>(), accepted: 0 };
  let killed: Promise<unknown> | undefined;
  const deliver = async (send: Send, mine: typeof parts, isAnswered: () => void) => {
    for (const part of mine) {
      const answer = await send(part);
      if (!answer) return;
      isAnswered();
      acknowledged.accepted += answer.accepted;
      for (const { timestamp } of part) acknowledged.all.add(timestamp);
    }
  };
  await Promise.all([
    deliver(toService, parts, () => {
      acknowledged.service++;
      if (acknowledged.service === 4) killed = service.end('SIGKILL');
    }),
    deliver(toHost, parts.toReversed().slice(0, 8), () => undefined),
  ]);
  await killed;
  expect(killed).toBeDefined();
  expect(acknowledged.accepted).toBeLessThanOrEqual(acknowledged.all.size);

  const seen = (await seenTrips(host, device)).flatMap((trip) =>
    (trip.points as { timestamp: string }[]).map(({ timestamp }) => Date.parse(timestamp)),
  );
  expect(new Set(seen).size).toBe(seen.length);
  expect([...acknowledged.all].filter((time) => !seen.includes(Date.parse(time)))).toEqual([]);

  const again = POINTS.filter(({ timestamp }) => acknowledged.all.has(timestamp));
  expect(await toHost(again)).toMatchObject({ accepted: 0, duplicates: again.length });
  await toHost(POINTS);
  expect(await seenTrips(host, device)).toMatchObject([{ point_count: 120, duration_seconds: 119 }]);
});

fullTest('a server that starts takes over the work of a killed one immediately', async () => {
  const DATA_DIR = await temporaryFolder();
  const settings = { DATA_DIR, LOG_LEVEL: 'error', ...serverSettings() };
  const killed = await serveProcess(settings, '--no-demo');
  const database = await openTestDatabase(readConfig(settings), false);
  const host = await ingestHost();
  onTestFinished(async () => {
    await host.app.close();
    await database.close();
  });
  const device = await recordingDevice();
  await host.post(device.secret, { points: POINTS.slice(0, 20) });
  await killed.end('SIGKILL');
  const key = { key: device.device_key };
  const [place] = newHolder().split('|');
  const by = `${place}|${killed.child.pid}|process|lease`;
  const until = new Date(Date.now() + 5000);
  await DeviceStore.updateOne(unrestricted(testService), key, { care: { by, until, rearranging: true } });

  const service = await serveProcess(settings, '--no-demo');
  onTestFinished(async () => {
    await service.end();
  });
  const { care } = (await DeviceStore.findOne(unrestricted(testService), key, 'care')) ?? {};
  expect(care).toMatchObject({ by: null });
  expect(await seenTrips(host, device)).toMatchObject([{ point_count: 20 }]);
});
