import { beforeAll, expect, onTestFinished, test } from 'vitest';

import { revokeApiKey } from '../../../auth/api-keys.ts';
import { connect, type Movement } from '../../../client/live/connect.ts';
import { apiKey } from '../../../client/service/credentials.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { streamingFetch } from '../../clients/event-client.ts';
import { at, ingestHost, recordingDevice, timeAt } from '../../hosts/ingest-host.ts';
import { listen, testCertificate } from '../../hosts/test-host.ts';
import { account } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

let fetch: typeof globalThis.fetch;
beforeAll(async () => {
  fetch = streamingFetch((await testCertificate()).ca) as unknown as typeof globalThis.fetch;
});

/** Follows the vehicles of an account until the test ends, and notes what the listener receives. */
function follow(port: number, key: string) {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const noted: unknown[] = [];
  const done = connect(
    { url: `https://127.0.0.1:${port}`, credentials: apiKey(key), fetch },
    {
      moved: ({ vehicle_key, vehicle_location }: Movement) => noted.push([vehicle_key, vehicle_location?.timestamp]),
      connected: () => noted.push('connected'),
      interrupted: () => noted.push('interrupted'),
    },
    { signal: ending.signal },
  );
  return { noted, done, end: () => ending.abort() };
}

test('a client that follows an account receives the newest positions, also once the service is back', async () => {
  let host = await ingestHost();
  onTestFinished(async () => host.app.close());
  const port = await listen(host.app);
  const device = await recordingDevice();
  const { vehicle_key } = device;
  await host.post(device.secret, { points: [at(0)] });
  const { noted, done, end } = follow(port, device.owner.api_key);
  await expect.poll(() => noted).toEqual(['connected', [vehicle_key, timeAt(0)]]);
  await host.post(device.secret, { points: [at(5)] });
  await expect.poll(() => noted.at(-1)).toEqual([vehicle_key, timeAt(5)]);
  await host.app.close();
  await expect.poll(() => noted.at(-1)).toBe('interrupted');
  host = await ingestHost();
  await host.post(device.secret, { points: [at(10)] });
  await host.app.listen({ port, host: '127.0.0.1' });
  await expect.poll(() => noted.at(-1)).toEqual([vehicle_key, timeAt(10)]);
  expect(noted.filter((one) => one === 'connected')).toHaveLength(2);
  end();
  await done;
});

test('a client whose key is revoked ends with an error, and does not connect again', async () => {
  const host = await ingestHost();
  onTestFinished(() => host.app.close());
  const port = await listen(host.app);
  const owner = await account();
  const { noted, done } = follow(port, owner.api_key);
  const failed = expect(done).rejects.toMatchObject({ status: 401, isTransient: false });
  await expect.poll(() => noted).toEqual(['connected']);
  await revokeApiKey(owner.apiKeyKey, accountAccessScope(testService, owner.key));
  await failed;
});
