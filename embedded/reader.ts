import { parentPort, workerData } from 'node:worker_threads';
import { answer } from './commands/answer.ts';
import { CLEAN_UP_MS, CURSOR_TIMEOUT_MS, Cursors } from './commands/cursors.ts';
import { runRead } from './commands/table.ts';
import { Snapshots } from './storage/snapshots.ts';
import { findSqliteEngine } from './storage/sqlite.ts';
import { parseMessage } from './wire/message.ts';
import type { ReaderInput, ReaderReply, ReaderRequest } from './readers/readers.ts';

/** Answers heavy reads until it is asked to close. */
function main({ file, thread }: ReaderInput): void {
  const store = new Snapshots(findSqliteEngine(), file);
  const cursors = new Cursors(thread);
  const cleaning = setInterval(() => cursors.killUnused(Date.now() - CURSOR_TIMEOUT_MS), CLEAN_UP_MS);
  const reply = (number: number, result: ReaderReply['result']) => {
    const open = { cursors: cursors.size, snapshots: store.openSnapshots };
    // A long answer has its bytes for itself, and is handed over; a short one is part of a pool, and is copied.
    const isWhole = result instanceof Uint8Array && result.byteLength === result.buffer.byteLength;
    parentPort?.postMessage(
      { number, result, open } satisfies ReaderReply,
      isWhole ? [result.buffer as ArrayBuffer] : [],
    );
  };
  parentPort?.on('message', async (request: ReaderRequest) => {
    if (request.kind === 'answer') {
      const { number, owner } = request;
      const message = parseMessage(Buffer.from(request.message));
      reply(number, await answer(message, (command) => runRead({ ...command, store, cursors, owner })));
    } else if (request.kind === 'kill') {
      reply(request.number, cursors.kill(request.id));
    } else if (request.kind === 'disconnect') {
      cursors.killAll(({ owner }) => owner === request.owner);
      reply(0, true);
    } else {
      clearInterval(cleaning);
      cursors.killAll();
      store.close();
      parentPort?.close();
    }
  });
}

main(workerData as ReaderInput);
