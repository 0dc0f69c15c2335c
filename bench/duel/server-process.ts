import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server of a bench in a separate process. */
interface ServerProcess {
  readonly pid: number;
  /** Its address, as it prints it. */
  readonly url: string;
  end(): Promise<void>;
}

/** Starts a script below `bench` that prints its address, with further environment variables. */
export async function serverProcess(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const script = new URL(`../${name}.js`, import.meta.url).pathname;
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'close');
  const url = await Promise.race([
    once(child.stdout, 'data').then(([chunk]) => String(chunk).trim()),
    ended.then(() => Promise.reject(new Error(`${name} did not start`))),
  ]);
  const end = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  // Nothing else ends it if this process ends early.
  process.once('exit', () => child.kill('SIGKILL'));
  return { pid: child.pid ?? 0, url, end };
}
