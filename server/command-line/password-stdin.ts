import { text } from 'node:stream/consumers';

import { UsageError } from './usage-error.ts';

/** The password on standard input: all of it, without the line end that `echo` adds. */
export async function passwordFromStdin(): Promise<string> {
  if (process.stdin.isTTY) {
    throw new UsageError('--password-stdin reads from a pipe, so that no terminal shows the password');
  }
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
