import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MessageSplitter, parseMessage } from '../../embedded/wire/message.ts';

/** Commands by which a driver watches its connections, not its data. */
const OWN_COMMANDS = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'saslStart']);

/** Members of commands that list the writes of a command, one for each document or filter. */
const WRITES = ['documents', 'updates', 'deletes', 'ops'];

/** A socket before the embedded database that counts the commands which pass it. */
export interface CountingPipe {
  /** For `MONGODB_URI`. */
  readonly uri: string;
  /** Commands that have passed while `counts` was true. */
  readonly commands: number;
  /** Writes of these commands: inserted documents, updates and deletions. */
  readonly writes: number;
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
  const state = { commands: 0, writes: 0, counts: false };
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
        if (!state.counts) continue;
        const { command } = parseMessage(message);
        const [name = ''] = command.keys();
        if (OWN_COMMANDS.has(name)) continue;
        state.commands++;
        state.writes += name === 'findAndModify' ? 1 : writesOf(command);
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

/** Number of writes that a command lists. */
function writesOf(command: ReturnType<typeof parseMessage>['command']): number {
  const lists = WRITES.map((name) => command.get(name)).filter(Array.isArray);
  return lists.reduce((sum, list) => sum + list.length, 0);
}
