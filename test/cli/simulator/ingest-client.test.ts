import { once } from 'node:events';

import { expect, test } from 'vitest';

import { clientOf } from './ingest-service.ts';

const BODY = { serial: 'SIM-0001', points: [] };
const FOREVER = new AbortController().signal;

test.each([429, 503])(
  'what is answered with %d is sent again when Retry-After says so, until it is acknowledged',
  async (busy) => {
    const { client, received } = await clientOf([
      [busy, ''],
      [busy, ''],
      [200, '{"accepted":2,"duplicates":1}'],
    ]);
    expect(await client.send(BODY, FOREVER)).toMatchObject({ accepted: 2, duplicates: 1 });
    expect(received).toEqual(Array(3).fill({ body: BODY, authorization: 'Bearer wb_forwarder_1' }));
    expect(client.repeated).toBe(2);
  },
);

test('a rejection ends the simulation with the words of the service, and is not sent again', async () => {
  const { client, received } = await clientOf([[404, '{"errors":"device not found"}']]);
  await expect(client.send(BODY, FOREVER)).rejects.toThrow(/404 .*device not found.*SIM-0001/);
  expect(received).toHaveLength(1);
});

test('an ended simulation does not send again', async () => {
  const { client, received } = await clientOf([[503, '']]);
  expect(await client.send(BODY, AbortSignal.abort())).toBeNull();
  expect(received).toHaveLength(1);
});

test('a service that is not there is an error, which names its address', async () => {
  const { client, server } = await clientOf([]);
  server.close();
  await once(server, 'close');
  await expect(client.send(BODY, FOREVER)).rejects.toThrow(/^https:.*\/ingest does not answer \(ECONNREFUSED\); start/);
});
