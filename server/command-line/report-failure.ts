import { CommanderError } from 'commander';

import { isOutOfDescriptors, MORE_DESCRIPTORS } from '../../http/answers/few-descriptors.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/** Errors whose message is a sentence for whoever called, by name: their classes are loaded only where they are thrown. */
const DELIBERATE = new Set([
  'ServiceError',
  'ConfigError',
  'DatabaseError',
  'DataVersionError',
  'MigrationError',
  'IndexError',
  'KeyEncryptionError',
  'StartError',
  'UsageError',
  'CommandError',
  'ImportError',
]);

/**
 * Says on standard error, in one sentence, why a command failed.
 *
 * @returns the exit code: 2 for wrong usage, else 1; 0 where help was asked for
 */
export function reportFailure(error: unknown, write: (text: string) => unknown = writeError): number {
  // Commander has said its sentence already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  write(`${sentenceOf(error)}\n`);
  return error instanceof Error && error.name === 'UsageError' ? WRONG_USAGE : FAILED;
}

/** Words Commander's refusals as ours are: one sentence, without the word error before it. */
export function usageSentence(text: string): string {
  const sentence = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)$/, '; did you mean $1?');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}\n`;
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `Failed: ${String(error)}`;
  if (DELIBERATE.has(error.name)) return error.message;
  if (isOutOfDescriptors(error))
    return `No more files can be opened (${error.message.split(',', 1)[0]}); ${MORE_DESCRIPTORS}`;
  // Node.js takes a file that it cannot open for one that is not there.
  if ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
    return `A part of the program cannot be loaded (${error.message}); install it again, or ${MORE_DESCRIPTORS}`;
  if (process.env.LOG_LEVEL === 'debug') return error.stack ?? error.message;
  return `Failed unexpectedly (${error.name}: ${error.message.split('\n', 1)[0]}); LOG_LEVEL=debug tells where`;
}

function writeError(text: string): void {
  process.stderr.write(text);
}

/**
 * Lets the program go on in peace when nobody reads what it prints any more, as in `waybridge --help | head -1`: what it
 * was told to do, it does to the end. Another fault of a stream, such as a full disk, makes the exit code 1.
 */
export function ignoreEpipe(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode = 1;
    });
  }
}
