import { text } from 'node:stream/consumers';

import { UsageError } from './usage-error.ts';

/** The password on standard input: all of it, without the line end that `echo` adds. */
export async function passwordFromStdin(): Promise<string> {
  if (process.stdin.isTTY) {
    throw new UsageError('--password-stdin reads the password from a pipe, since a terminal would show it');
  }
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
