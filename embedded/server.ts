import { Long } from 'bson';
import { createServer, type Server, type Socket } from 'node:net';
import { answer, errorReply } from './commands/answer.ts';
import { threadOf, type Cursors } from './commands/cursors.ts';
import type { Sessions } from './commands/sessions.ts';
import type { ReadFaults } from './commands/read-faults.ts';
import { runCommand } from './commands/table.ts';
import type { Readers } from './readers/readers.ts';
import { HeavyRead } from './storage/connection.ts';
import { MessageSplitter, formatReply, parseMessage, type Request } from './wire/message.ts';

/** State that all connections share. */
export interface ServerState {
  readonly cursors: Cursors;
  readonly sessions: Sessions;
  readonly faults: ReadFaults;
  /** The threads for heavy reads; without them the allowance of the store must have no end. */
  readonly readers?: Readers;
}

/** Makes the server that answers MongoDB clients; it does not listen yet. */
export function createMongoServer(state: ServerState): Server {
  let connections = 0;
  return createServer({ noDelay: true }, (socket) => {
    connections += 1;
    serve(socket, connections, state);
  });
}

/** Serves one connection: its requests one after the other. A message that is malformed ends it, and nothing else. */
function serve(socket: Socket, owner: number, state: ServerState): void {
  const splitter = new MessageSplitter();
  let last: Promise<void> = Promise.resolve();
  const fail = (error: unknown) => {
    if (!socket.destroyed) socket.end(formatReply(0, false, errorReply(error)));
  };
  const answerAll = async (messages: Buffer[]): Promise<void> => {
    for (const message of messages) {
      if (socket.destroyed) return;
      const request = parseMessage(message);
      const reply = await answerMessage(message, request, owner, state);
      if (request.wantsReply && !socket.destroyed) socket.write(reply);
    }
  };
  socket.on('data', (chunk) => {
    try {
      const messages = splitter.push(chunk);
      if (messages.length === 0) return;
      last = last.then(() => answerAll(messages)).catch(fail);
    } catch (error) {
      socket.pause();
      last = last.then(() => fail(error));
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    state.cursors.killAll((cursor) => cursor.owner === owner);
    state.readers?.disconnect(owner);
  });
}

/** Answers here, or if that is too much work or a cursor is elsewhere, in a thread for heavy reads. */
async function answerMessage(
  message: Buffer,
  request: Request,
  owner: number,
  { cursors, sessions, faults, readers }: ServerState,
): Promise<Uint8Array> {
  const { raw } = request;
  const elsewhere = async (thread?: number): Promise<Uint8Array> => {
    try {
      if (!readers) throw new HeavyRead('There are no threads for heavy reads');
      return await readers.answer(message, owner, thread);
    } catch (error) {
      return formatReply(request.id, request.isLegacy, errorReply(error));
    }
  };
  const cursor = request.command.get('getMore');
  const thread = cursor instanceof Long ? threadOf(cursor.toBigInt()) : 0;
  if (readers?.has(thread)) return elsewhere(thread);
  try {
    return await answer(request, (command) =>
      faults.noted(() => runCommand({ ...command, cursors, sessions, faults, readers, owner, raw })),
    );
  } catch (error) {
    if (error instanceof HeavyRead) return elsewhere();
    throw error;
  }
}
