import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts';
import { signal } from '../processes/signal.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';

/** A database server of the test on a TCP port, which can be made to fall silent. */
export interface MongodbProxy {
  /** For `MONGODB_URI`. */
  readonly uri: string;
  /** Answers no further command; resolves when one has arrived. */
  hang(): Promise<void>;
}

/** Starts an embedded database behind a TCP port. */
export async function mongodbProxy(): Promise<MongodbProxy> {
  const embedded = await startEmbeddedDatabase({ file: join(await temporaryFolder(), 'proxied.db') });
  const path = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(embedded.uri)?.[1] ?? '');
  const sockets = new Set<net.Socket>();
  const received = signal();
  let hangs = false;
  const server = net.createServer((client) => {
    sockets.add(client);
    client.on('error', () => client.destroy());
    const database = net.connect({ path });
    sockets.add(database);
    database.on('error', () => database.destroy());
    client.on('data', (chunk) => {
      if (hangs) received.give();
      else database.write(chunk);
    });
    database.on('data', (chunk) => hangs || client.write(chunk));
    client.on('close', () => database.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await embedded.close();
  });
  return {
    uri: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/waybridge?directConnection=true`,
    hang: () => {
      hangs = true;
      return received.given;
    },
  };
}
