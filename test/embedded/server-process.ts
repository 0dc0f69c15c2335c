import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Seen from this file, as a source or compiled. */
const AT = import.meta.url.endsWith('.ts')
  ? '../../build/bundle/embedded-database.js'
  : '../../embedded/embedded-database.js';
const MODULE = new URL(AT, import.meta.url).href;

const SCRIPT = `
  const { startEmbeddedDatabase } = await import(${JSON.stringify(MODULE)});
  const { uri } = await startEmbeddedDatabase({ file: process.argv[1] });
  console.log(uri);
  process.stdin.resume();
`;

/** A process of its own that serves a database file. */
export interface ServerProcess {
  readonly uri: string;
  /** Ends it as a crash or a power switch would, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts a process that serves a file, with its temporary files in a folder that the test removes. */
export async function startServerProcess(file: string, folder: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
  const uri = await firstLine(child);
  return {
    uri,
    kill: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  const ended = once(child, 'exit');
  if (!child.stdout) throw new Error('The server process has no output');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error(`The server process ended without an address, by ${(await ended).join(' ')}`);
}
