import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';

import type { FastifyBaseLogger } from 'fastify';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';

import { type ProcessMetrics, processMetrics } from '../../../http/observing/metrics.ts';

import type { StartError } from '../../configuration/start-error.ts';
import { WorkerProcess } from './worker.ts';
import type { WorkerInput } from './worker-messages.ts';

/** Pauses before a worker is started again, in milliseconds: the first one, which doubles up to the maximum. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
/**
 * Time after which a worker that has answered requests counts as stable, in milliseconds: the pauses start from the first
 * again.
 */
const SOUND_AFTER_MS = 60_000;
/** Number of consecutive failed starts of a worker after which the service ends. */
const MAX_FAILED_STARTS = 3;

/** Parts of the supervision of workers. */
export interface SupervisorOptions {
  readonly count: number;
  readonly input: Omit<WorkerInput, 'number'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: FastifyBaseLogger;
  /** Metrics of the primary process, beside those of every process. */
  readonly metrics: readonly Registry[];
  /** Completes interrupted work of a worker that ended. */
  readonly onEnd: () => Promise<void>;
}

/**
 * Runs the processes that answer requests on one port. One that ends is started again, after pauses that grow while it ends
 * soon.
 */
export class Supervisor {
  /** Resolves to the reason if a worker cannot be started any more. */
  readonly failed: Promise<StartError>;
  readonly #options: SupervisorOptions;
  readonly #workers = new Map<number, WorkerProcess>();
  readonly #stopping = new AbortController();
  readonly #metrics = new Registry();
  readonly #restarts: Counter;
  #fail: (error: StartError) => void = () => undefined;
  #lastId = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.failed = new Promise((settle) => {
      this.#fail = settle;
    });
    const registers = [this.#metrics];
    const workers = this.#workers;
    new Gauge({
      name: 'waybridge_workers',
      help: 'Processes that answer requests',
      registers,
      collect() {
        this.set([...workers.values()].filter(({ isServing }) => isServing).length);
      },
    });
    this.#restarts = new Counter({
      name: 'waybridge_worker_ends_total',
      help: 'Processes that answer requests and ended; each was started again',
      registers,
    });
  }

  /**
   * Starts all workers; they listen once all are ready to.
   *
   * @throws StartError if one cannot start, after ending all of them
   */
  async start(): Promise<void> {
    cluster.setupPrimary({ args: ['serve'] });
    new RateLimiterClusterMaster();
    const started = Array.from({ length: this.#options.count }, (_, at) => this.#startOne(at + 1));
    try {
      await Promise.all(started.map((worker) => worker.reaches('prepared')));
      for (const worker of started) worker.send({ kind: 'listen' });
      await Promise.all(started.map((worker) => worker.reaches('serving')));
    } catch (error) {
      for (const worker of started) worker.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      throw error;
    }
    for (const worker of started) void this.#keepRunning(worker);
  }

  /** Makes every worker serve the current certificate from its files. */
  renewCertificates(): void {
    for (const worker of this.#workers.values()) worker.send({ kind: 'renew-certificate' });
  }

  /**
   * Makes every worker answer requests in flight and end.
   *
   * @throws Error naming those that cut something off or did not close in time
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const unclosed = await Promise.all(
      [...this.#workers.values()].map(async (worker) => {
        const { isServing } = worker;
        if (isServing) worker.send({ kind: 'stop' });
        else worker.kill('SIGTERM');
        const { code } = await worker.ended;
        return isServing && code !== 0 ? [worker.number] : [];
      }),
    );
    if (unclosed.flat().length > 0) throw new Error(`Workers ${unclosed.flat().join(', ')} were cut off`);
  }

  #startOne(number: number): WorkerProcess {
    const { input, env } = this.#options;
    const worker = new WorkerProcess({ ...input, number }, env, () => this.#gather());
    this.#workers.set(number, worker);
    return worker;
  }

  async #keepRunning(first: WorkerProcess): Promise<void> {
    const { log, onEnd } = this.#options;
    const { signal } = this.#stopping;
    let worker = first;
    let failedStarts = 0;
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const end = await worker.ended;
      if (signal.aborted) return;
      this.#restarts.inc();
      log.error({ worker: worker.number, ...end }, 'a worker ended; it is started again');
      await onEnd();
      failedStarts = end.servedMs === null ? failedStarts + 1 : 0;
      if (failedStarts === MAX_FAILED_STARTS) return this.#fail(worker.startError(end));
      if (end.servedMs !== null && end.servedMs > SOUND_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      if (signal.aborted) return;
      worker = this.#startOne(worker.number);
      const started = worker;
      started.reaches('prepared').then(
        () => started.send({ kind: 'listen' }),
        () => undefined,
      );
    }
  }

  /** The metrics of all processes: counters and memory are summed, delays of event loops averaged. */
  async #gather(): Promise<string> {
    const id = ++this.#lastId;
    const own = await Registry.merge([processMetrics(), this.#metrics, ...this.#options.metrics]).getMetricsAsJSON();
    const serving = [...this.#workers.values()].filter(({ isServing }) => isServing);
    const others = await Promise.all(serving.map((worker) => worker.measure(id)));
    return AggregatorRegistry.aggregate([own.map(keptWhole), ...others].map((metrics) => [...metrics])).metrics();
  }
}

/** Sets the start time of the service to that of its first process, which the library would omit. */
function keptWhole(metric: ProcessMetrics[number]): ProcessMetrics[number] {
  return metric.name === 'process_start_time_seconds' ? { ...metric, aggregator: 'min' } : metric;
}
