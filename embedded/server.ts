import { createServer, type Server, type Socket } from 'node:net';
import { Arguments } from './commands/arguments.ts';
import { runCommand } from './commands/table.ts';
import { errorFields } from './commands/write.ts';
import type { Doc } from './bson/value.ts';
import type { Cursors } from './commands/cursors.ts';
import { clientError, type Store } from './storage/store.ts';
import { MessageSplitter, formatReply, parseMessage, type Request } from './wire/message.ts';

/** Makes the server that answers MongoDB clients from a store; it does not listen yet. */
export function createMongoServer(store: Store, cursors: Cursors): Server {
  return createServer({ noDelay: true }, (socket) => serve(socket, store, cursors));
}

/** Serves one connection: its requests one after the other. A message that is malformed ends it, and nothing else. */
function serve(socket: Socket, store: Store, cursors: Cursors): void {
  const splitter = new MessageSplitter();
  let last: Promise<void> = Promise.resolve();
  const fail = (error: unknown) => {
    if (!socket.destroyed) socket.end(formatReply(0, false, errorReply(error)));
  };
  const answerAll = async (messages: Buffer[]): Promise<void> => {
    for (const message of messages) {
      if (socket.destroyed) return;
      const request = parseMessage(message);
      const reply = await answer(request, socket, store, cursors);
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
  socket.on('close', () => cursors.killAll(({ owner }) => owner === socket));
}

async function answer(request: Request, owner: object, store: Store, cursors: Cursors): Promise<Buffer> {
  const { id, command, raw, isLegacy } = request;
  try {
    const [name = ''] = command.keys();
    const args = new Arguments(command);
    const reply = await runCommand({ name, args, db: args.string('$db'), store, cursors, owner, raw });
    return formatReply(id, isLegacy, reply);
  } catch (error) {
    return formatReply(id, isLegacy, errorReply(error));
  }
}

function errorReply(error: unknown): Doc {
  return new Map([['ok', 0], ...errorFields(clientError(error))]);
}
