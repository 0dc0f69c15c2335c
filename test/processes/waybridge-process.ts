import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The built program, seen from the sources and from `build/test`. */
const PLACES = ['../../build/bundle/waybridge.js', '../../bundle/waybridge.js'].map((at) =>
  join(import.meta.dirname, at),
);

/** Settings as environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** Output and exit code of a process. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the program, or another build of it, with these settings alone, and without limits on volume unless set. */
export function spawnWaybridge(
  args: readonly string[],
  settings: Settings,
  program = executable(),
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [program, ...args], { env: environmentOf(settings) });
}

/** Starts the program as {@link spawnWaybridge} does, with a limit on the number of files that it may have open. */
export function spawnWithDescriptors(
  limit: number,
  args: readonly string[],
  settings: Settings,
): ChildProcessWithoutNullStreams {
  const command = ['-c', `ulimit -n ${limit}; exec "$@"`, 'bash', process.execPath, executable(), ...args];
  return spawn('bash', command, { env: environmentOf(settings) });
}

function executable(): string {
  const found = PLACES.find(existsSync);
  if (found === undefined) throw new Error('build/bundle/waybridge.js is missing; run npm run build first');
  return found;
}

function environmentOf(settings: Settings): Settings {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, RATE_LIMITS: 'off', ...settings };
}

/** Runs a command to its end. */
export async function runWaybridge(args: readonly string[], settings: Settings, stdin = ''): Promise<Outcome> {
  const child = spawnWaybridge(args, settings);
  child.stdin.end(stdin);
  return outcomeOf(child);
}

/** Waits for the end of a process. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}

/** Runs a command with `--json` and answers what it prints; throws what it says where it fails. */
export async function askWaybridge(
  args: readonly string[],
  settings: Settings,
  stdin = '',
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runWaybridge([...args, '--json'], settings, stdin);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** All that was printed until it was ready. */
  readonly banner: string;
  readonly port: number;
  readonly url: string;
  /** Settings with which commands reach the same service. */
  readonly settings: Settings;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts `waybridge serve` on a free port and waits until it is ready. */
export async function serveProcess(settings: Settings, ...args: string[]): Promise<ServiceProcess> {
  return readyService(spawnWaybridge(['serve', ...args], { PORT: '0', ...settings }), settings);
}

/** Waits until a service that was started by `serve` is ready. */
export async function readyService(child: ChildProcessWithoutNullStreams, settings: Settings): Promise<ServiceProcess> {
  let banner = '';
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      banner += String(chunk);
      if (banner.includes('Ctrl-C ends it')) resolve();
    });
    child.once('close', () => reject(new Error(`The service did not start: ${errors}`)));
  });
  const port = Number(/Website +https:\/\/[\w.]+:(\d+)/.exec(banner)?.[1]);
  const end: ServiceProcess['end'] = async (signal = 'SIGTERM') => {
    const ended = once(child, 'close');
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    else return { code: child.exitCode, signal: child.signalCode };
    const [code, by] = await ended;
    return { code, signal: by };
  };
  return { child, banner, port, url: `https://localhost:${port}`, settings: { ...settings, PORT: String(port) }, end };
}
