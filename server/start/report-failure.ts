import { CommanderError } from 'commander';

import { knownAdvice } from '../database/file-advice.ts';
import { isOutOfDescriptors, MORE_DESCRIPTORS } from '../../http/answers/file-descriptors.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/** Names of errors whose messages are for users. Their classes are loaded only where they are thrown. */
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

/** Prints why a command failed; returns the exit code: 2 for wrong usage, 0 if help was requested, else 1. */
export function reportFailure(error: unknown, write = (text: string): unknown => process.stderr.write(text)): number {
  // Commander has already printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  write(`${sentenceOf(error)}\n`);
  return error instanceof Error && error.name === 'UsageError' ? WRONG_USAGE : FAILED;
}

/** Formats an error of Commander like other errors: one sentence, without the prefix `error:`. */
export function usageSentence(text: string): string {
  const sentence = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)$/, '; did you mean $1?');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}\n`;
}

/** The message for a user about a failure. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `Failed: ${String(error)}`;
  if (DELIBERATE.has(error.name)) return error.message;
  if (isOutOfDescriptors(error))
    return `No more files can be opened (${error.message.split(',', 1)[0]}); ${MORE_DESCRIPTORS}`;
  // Node.js reports a file that it cannot open as one that does not exist.
  if ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
    return `A part of the program cannot be loaded (${error.message}); install it again, or ${MORE_DESCRIPTORS}`;
  const advice = error.name === 'MongoServerError' ? knownAdvice(error) : null;
  if (advice !== null) return `${error.message}; ${advice}`;
  if (process.env.LOG_LEVEL === 'debug') return error.stack ?? error.message;
  return `Failed unexpectedly (${error.name}: ${error.message.split('\n', 1)[0]}); set LOG_LEVEL=debug for a stack trace`;
}

/** Lets the program finish when its output is no longer read (`| head -1`); other stream errors set the exit code 1. */
export function ignoreEpipe(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode = 1;
    });
  }
}
