import { text } from 'node:stream/consumers';

import { UsageError } from './command-error.ts';

/**
 * Reads a secret from standard input: all of it, without the line end that `echo` adds. As an option, the list of processes
 * would show it.
 *
 * @param option that asks for it
 */
export async function secretFromStdin(option: string): Promise<string> {
  if (process.stdin.isTTY) throw new UsageError(`${option} reads from a pipe, since a terminal would show the secret`);
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
