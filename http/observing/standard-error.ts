import { fstatSync } from 'node:fs';

import { type DestinationStream, pino } from 'pino';

/** Maximum size of log lines that wait for a reader of standard error, in bytes. */
const MAX_WAITING = 1024 * 1024;

/**
 * Makes the destination of log lines on standard error. Through a pipe they are written as fast as they are read: who does
 * not read loses lines beyond 1 MiB, and holds up neither an answer nor the end of the process, as waiting for it would.
 */
export function standardError(): DestinationStream {
  const file = fstatSync(2);
  if (!file.isFIFO() && !file.isSocket()) return pino.destination(2);
  return {
    write: (line) => {
      if (process.stderr.writableLength < MAX_WAITING) process.stderr.write(line);
    },
  };
}
