import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runWaybridge, type ServiceProcess, serveProcess } from '../../processes/waybridge-process.ts';
import { ServiceLog } from './service-log.ts';
import type { Reach } from './send-request.ts';

/** Seen from this file, as a source or compiled. */
const PROBE = ['../../../build/test/campaigns/hostile/heap-probe.js', './heap-probe.js'].map(
  (at) => new URL(at, import.meta.url),
);

/** Limits that bite: a tenth of those of the service. */
const LIMITS = {
  RATE_LIMITS: 'on',
  RATE_LIMIT_CALLER: '600',
  RATE_LIMIT_ADDRESS: '1200',
  RATE_LIMIT_FORWARDER: '30000',
};

/** Bytes in use after garbage collection, by thread. */
export type Heap = Readonly<Record<string, number>>;

/** The service in a process of its own, on a data folder of its own, which goes with it. */
export class HostileService {
  readonly process: ServiceProcess;
  readonly reach: Reach;
  readonly log = new ServiceLog();
  readonly #folder: string;

  private constructor(process: ServiceProcess, reach: Reach, folder: string) {
    this.process = process;
    this.reach = reach;
    this.log.follow(process.child.stderr);
    this.#folder = folder;
    // Nobody else ends it where this process ends before its time.
    globalThis.process.once('exit', () => process.child.kill('SIGKILL'));
  }

  /** @param limits whether limits on volume are on */
  static async start(limits: 'on' | 'off'): Promise<HostileService> {
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-hostile-'));
    const probe = PROBE.find((url) => existsSync(url));
    const started = await serveProcess(
      {
        DATA_DIR: folder,
        ...(limits === 'on' ? LIMITS : {}),
        ...(probe && { NODE_OPTIONS: `--import=${probe.href}` }),
      },
      '--no-demo',
    );
    // Commands are other processes, which nobody measures.
    const { NODE_OPTIONS: _, ...settings } = started.settings;
    const process = { ...started, settings };
    const ca = await readFile(join(folder, 'tls/ca.pem'), 'utf8');
    return new HostileService(process, { port: started.port, ca }, folder);
  }

  /** True while it runs. */
  get isUp(): boolean {
    const { exitCode, signalCode } = this.process.child;
    return exitCode === null && signalCode === null;
  }

  /** Collects garbage in the service, and measures what is left. */
  async heap(): Promise<Heap> {
    const line = this.log.next('heap_after_collection');
    this.process.child.kill('SIGUSR2');
    return (await line).heap_after_collection as Heap;
  }

  /** Findings of `waybridge check`; null where the database is sound. */
  async check(): Promise<string | null> {
    const { code, stdout, stderr } = await runWaybridge(['check', '--json'], this.process.settings);
    return code === 0 ? null : `waybridge check ended with ${code}: ${stdout}${stderr}`;
  }

  /** Ends it, and removes its data; answers how it ended where that was not well. */
  async end(): Promise<string | null> {
    const wasUp = this.isUp;
    const { code, signal } = await this.process.end();
    await rm(this.#folder, { recursive: true, force: true });
    if (!wasUp) return `the service ended by itself, with ${code ?? signal}`;
    return code === 0 ? null : `the service ended with ${code ?? signal}`;
  }
}
