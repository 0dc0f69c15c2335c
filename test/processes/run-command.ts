import { Readable } from 'node:stream';

import { reportFailure } from '../../server/start/report-failure.ts';
import { createProgram } from '../../cli/program.ts';
import type { Outcome, Settings } from './waybridge-process.ts';

/**
 * Runs a command of the program in this process, for tests of commands rather than of processes: with these settings and no
 * others, and without limits on volume. The file that runs it uses no other database meanwhile.
 *
 * @param columns width of the terminal to which it prints; null for none
 */
export async function runCommand(
  args: readonly string[],
  settings: Settings,
  stdin = '',
  columns: number | null = null,
): Promise<Outcome> {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env;
  const undo = [
    replace(process, 'env', { PATH, HOME, TMPDIR, RATE_LIMITS: 'off', ...settings }),
    replace(process, 'stdin', Readable.from([stdin])),
  ];
  undo.push(replace(process.stdout, 'isTTY', columns !== null), replace(process.stdout, 'columns', columns));
  const stdout: string[] = [];
  const stderr: string[] = [];
  undo.push(replace(process.stdout, 'write', writerTo(stdout)), replace(process.stderr, 'write', writerTo(stderr)));
  try {
    const code = await createProgram().parseAsync(args, { from: 'user' }).then(exitCode, reportFailure);
    return { code, stdout: stdout.join(''), stderr: stderr.join('') };
  } finally {
    for (const restore of undo.toReversed()) restore();
  }
}

/** Runs a command with `--json` and answers what it prints; throws what it says where it fails. */
export async function askCommand(
  args: readonly string[],
  settings: Settings,
  stdin = '',
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], settings, stdin);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Takes the exit code that a command has set for the process. */
function exitCode(): number {
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return code;
}

/** Replaces a property, and returns what restores it. */
function replace<Owner extends object, Name extends keyof Owner>(owner: Owner, name: Name, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, enumerable: true, writable: true });
  return () => {
    if (own) Object.defineProperty(owner, name, own);
    else Reflect.deleteProperty(owner, name);
  };
}

/** Stands for a stream's `write`, whose last argument may be a callback. */
function writerTo(written: string[]): (chunk: unknown, ...rest: unknown[]) => boolean {
  return (chunk, ...rest) => {
    written.push(String(chunk));
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
}
