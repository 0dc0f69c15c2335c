import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

import { localCertificate } from '../../../http/tls/local-ca.ts';
import { IngestClient } from '../../../cli/simulator/ingest-client.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

/** A service that gives these answers, one after another, and the client of it. */
export async function clientOf(answers: readonly (readonly [status: number, body: string])[]) {
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
