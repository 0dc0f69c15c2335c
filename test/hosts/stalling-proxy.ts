import { createServer, connect, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { deserialize } from 'bson';

/** A place in the commands of a client at which it stalls. */
export interface StallPoint {
  /** Number of the command from the time of arming on, from 0. */
  readonly at: number;
  /** Before the command reaches the database, or after it was done and before the client learns so. */
  readonly when: 'before' | 'after';
}

/** A stall that is about to happen. */
export interface Stall {
  /** Fulfilled once the client stands still. */
  readonly reached: Promise<void>;
  /** Commands that the client has sent, including the one at which it stalls. */
  readonly commands: () => readonly string[];
  /** Lets the client go on; it does not stall again. */
  end(): void;
}

/** A way to a database through which a client can be made to stand still at any of its commands. */
export interface StallingProxy {
  /** Address for clients. */
  readonly uri: string;
  stall(point: StallPoint): Stall;
  close(): Promise<void>;
}

/** Commands of the driver for itself, which go through whatever stalls. */
const UNCOUNTED = ['hello', 'isMaster', 'ismaster', 'ping', 'endSessions'];

interface Armed extends StallPoint {
  readonly commands: string[];
  isReached: boolean;
  reach(): void;
  /** Bytes that are held back. */
  readonly held: (() => void)[];
}

/** Opens a way to a database on a socket of this machine. */
export async function openStallingProxy(databaseUri: string): Promise<StallingProxy> {
  const upstreamPath = decodeURIComponent(/^mongodb:\/\/([^/?]+)/.exec(databaseUri)?.[1] ?? '');
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  const path = join(folder, 'proxy.sock');
  const sockets = new Set<Socket>();
  let armed: Armed | null = null;

  /** Holds an act back while the client stands still. */
  const orHold = (act: () => void) => {
    if (armed?.isReached) armed.held.push(act);
    else act();
  };
  const server = createServer((client) => {
    const database = connect(upstreamPath);
    let isOwn = false;
    let holdsReply = false;
    inMessages(client, (message) => {
      const send = () => database.write(message);
      const command = commandOf(message);
      isOwn = UNCOUNTED.includes(command);
      if (isOwn) return send();
      if (!armed || armed.isReached) return orHold(send);
      armed.commands.push(command);
      if (armed.commands.length <= armed.at) return send();
      if (armed.when === 'after') {
        holdsReply = true;
        return send();
      }
      armed.isReached = true;
      armed.held.push(send);
      return armed.reach();
    });
    inMessages(database, (message) => {
      const answer = () => client.write(message);
      if (holdsReply && armed) {
        holdsReply = false;
        armed.isReached = true;
        armed.held.push(answer);
        return armed.reach();
      }
      return isOwn ? answer() : orHold(answer);
    });
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => other.destroy())
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
  });
  await new Promise<void>((settle) => server.listen(path, settle));
  return {
    uri: `mongodb://${encodeURIComponent(path)}/?directConnection=true`,
    stall: (point) => {
      let reach = () => {};
      const reached = new Promise<void>((settle) => {
        reach = settle;
      });
      const stall: Armed = { ...point, commands: [], isReached: false, reach, held: [] };
      armed = stall;
      return {
        reached,
        commands: () => stall.commands,
        end: () => {
          if (armed === stall) armed = null;
          for (const act of stall.held.splice(0)) act();
        },
      };
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((settle) => server.close(settle));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Calls back with each message of the wire protocol, which begins with its length. */
function inMessages(socket: Socket, take: (message: Buffer) => unknown): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    while (bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0)) {
      const length = bytes.readInt32LE(0);
      take(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
  });
}

/** Name and collection of the command of an OP_MSG; the handshake of other kinds of messages is the driver's own. */
function commandOf(message: Buffer): string {
  const OP_MSG = 2013;
  if (message.readInt32LE(12) !== OP_MSG) return 'hello';
  const body = deserialize(message.subarray(21, 21 + message.readInt32LE(21)));
  const [name = ''] = Object.keys(body);
  return UNCOUNTED.includes(name) ? name : `${name} ${String(body[name])}`;
}
