import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MessageSplitter, parseMessage } from '../../embedded/wire/message.ts';

/** Commands by which a driver watches its connections, not its data. */
const OWN_COMMANDS = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'saslStart']);

/** A socket before the embedded database that counts the commands which pass it. */
export interface CountingPipe {
  /** For `MONGODB_URI`. */
  readonly uri: string;
  /** Commands that have passed while `counts` was true. */
  readonly commands: number;
  /** True to read what passes and count it; false at first, since reading takes time. */
  counts: boolean;
  close(): void;
}

/** Opens a pipe to a database on a socket. */
export async function countingPipe(databaseUri: string): Promise<CountingPipe> {
  const path = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(databaseUri)?.[1] ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-pipe-'));
  const own = join(folder, 'pipe.sock');
  const sockets = new Set<net.Socket>();
  const state = { commands: 0, counts: false };
  const server = net.createServer((client) => {
    const database = net.connect({ path });
    const splitter = new MessageSplitter();
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => {
      database.write(chunk);
      for (const message of splitter.push(chunk)) {
        if (state.counts && !OWN_COMMANDS.has(commandOf(message))) state.commands++;
      }
    });
    database.on('data', (chunk: Buffer) => client.write(chunk));
  });
  await new Promise<void>((resolve) => {
    server.listen(own, resolve);
  });
  return Object.assign(state, {
    uri: `mongodb://${encodeURIComponent(own)}/waybridge?directConnection=true`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

/** Name of the command in a message. */
function commandOf(message: Buffer): string {
  const [name = ''] = parseMessage(message).command.keys();
  return name;
}
