import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A contender in a separate process. */
interface ContenderProcess {
  readonly pid: number;
  /** Its address, without a path. */
  readonly url: string;
  end(): Promise<void>;
}

/** Starts a script of `bench/contenders`, which prints the port that it listens on, with further environment variables. */
export async function contenderProcess(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ContenderProcess> {
  const script = new URL(`../contenders/${name}.js`, import.meta.url).pathname;
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'close');
  const port = await Promise.race([
    once(child.stdout, 'data').then(([chunk]) => Number(String(chunk))),
    ended.then(() => Promise.reject(new Error('The contender did not start'))),
  ]);
  const end = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  // Nothing else ends it if this process ends early.
  process.once('exit', () => child.kill('SIGKILL'));
  return { pid: child.pid ?? 0, url: `https://localhost:${port}`, end };
}
