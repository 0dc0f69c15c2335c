import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect, onTestFinished, test } from 'vitest';

import { localCertificate } from '../../../http/tls/local-ca.ts';
import { IngestClient } from '../../../server/simulator/ingest-client.ts';
import { temporaryFolder } from '../../services/temporary-folder.ts';

const BODY = { serial: 'SIM-0001', points: [] };
const FOREVER = new AbortController().signal;

/** A service that gives these answers, one after another, and the client of it. */
async function clientOf(answers: readonly (readonly [status: number, body: string])[]) {
  const { cert, key, caFile } = await localCertificate(await temporaryFolder(), ['localhost']);
  const received: { readonly body: unknown; readonly authorization: string | undefined }[] = [];
  const server = createServer({ cert, key }, async (request, response) => {
    const [status, body] = answers[received.length] ?? [500, ''];
    received.push({ body: JSON.parse(await text(request)), authorization: request.headers.authorization });
    response.writeHead(status, { 'Retry-After': '0' }).end(body);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const target = {
    url: `https://localhost:${port}/ingest`,
    secret: 'wb_forwarder_1',
    ca: await readFile(caFile, 'utf8'),
  };
  const client = new IngestClient(target, 2);
  onTestFinished(() => {
    client.close();
    server.close();
  });
  return { client, received, server };
}

test.each([429, 503])(
  'what is answered with %d is sent again when Retry-After says so, until it is acknowledged',
  async (busy) => {
    const { client, received } = await clientOf([
      [busy, ''],
      [busy, ''],
      [200, '{"accepted":2,"duplicates":1}'],
    ]);
    expect(await client.send(BODY, FOREVER)).toEqual({ accepted: 2, duplicates: 1 });
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
