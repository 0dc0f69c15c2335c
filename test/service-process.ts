import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const EXECUTABLE = join(import.meta.dirname, '../build/server/waybridge.js');

/** The test runner keeps a BASE_URL and a NODE_ENV of its own in the environment. */
const environment = { ...process.env, BASE_URL: '', NODE_ENV: 'production' };

/** Settings of a service, as environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** Runs a command as an operator would, with `--json`, and answers what it prints. */
export async function waybridge(settings: Settings, ...args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [EXECUTABLE, ...args, '--json'], {
    env: { ...environment, ...settings },
  });
  return JSON.parse(stdout);
}

/** A service that runs in a process of its own. */
export interface RunningService {
  readonly url: string;
  /** The certificate authority, as PEM. */
  readonly ca: string;
  /** Settings with which commands reach the same data. */
  readonly settings: Settings;
  stop(): Promise<void>;
}

/** Starts `waybridge serve` on a free port and waits until it says that it is ready. */
export async function startService(dataDir: string, ...args: string[]): Promise<RunningService> {
  const settings = { DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [EXECUTABLE, 'serve', ...args], { env: { ...environment, ...settings } });
  const url = await readyAddress(child);
  return {
    url,
    ca: await readFile(join(dataDir, 'tls/ca.pem'), 'utf8'),
    settings,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** A port that nobody uses just now. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += String(chunk);
      const address = /Website\s+(https:\S+)/.exec(output)?.[1];
      if (address && output.includes('Ctrl-C')) resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${output}`)));
  });
}
