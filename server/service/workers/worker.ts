import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import type { ProcessMetrics } from '../../../http/observing/metrics.ts';

import { StartError } from '../../configuration/start-error.ts';
import { PortInUseError } from '../../start/free-port.ts';
import { type PrimaryMessage, WORKER_VARIABLE, type WorkerInput, type WorkerMessage } from './worker-messages.ts';

/** Time in which a worker must report its metrics, in milliseconds. */
const MEASURE_WITHIN_MS = 2000;

/** End of a worker. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Milliseconds for which it answered requests; null if it never did. */
  readonly servedMs: number | null;
}

/** A process that answers requests, as the primary process sees it. */
export class WorkerProcess {
  readonly number: number;
  readonly ended: Promise<WorkerEnd>;
  readonly #worker: Worker;
  readonly #steps: Readonly<Record<'prepared' | 'serving', Promise<unknown>>>;
  #servingSince: number | null = null;
  #failure: Extract<WorkerMessage, { kind: 'failed' }> | null = null;
  readonly #measured = new Map<number, (metrics: ProcessMetrics) => void>();

  /** @param gather answers a worker that asks for the metrics of all */
  constructor(input: WorkerInput, env: Readonly<Record<string, string | undefined>>, gather: () => Promise<string>) {
    this.number = input.number;
    const worker = cluster.fork({ ...env, [WORKER_VARIABLE]: JSON.stringify(input) });
    this.#worker = worker;
    const reached = new Map<string, () => void>();
    const step = (kind: string) => new Promise<void>((settle) => reached.set(kind, settle));
    this.#steps = { prepared: step('prepared'), serving: step('serving') };
    worker.on('message', (message: WorkerMessage | { readonly kind?: undefined }) => {
      if (message.kind === 'failed') this.#failure = message;
      if (message.kind === 'serving') this.#servingSince = Date.now();
      if (message.kind === 'measured') this.#measured.get(message.id)?.(message.metrics);
      if (message.kind === 'gather') void this.#answer(message.id, gather);
      reached.get(String(message.kind))?.();
    });
    worker.on('error', () => undefined);
    this.ended = once(worker, 'exit').then(([code, signal]) => {
      const servedMs = this.#servingSince === null ? null : Date.now() - this.#servingSince;
      this.#servingSince = null;
      return { code, signal, servedMs };
    });
  }

  get isServing(): boolean {
    return this.#servingSince !== null;
  }

  /**
   * Waits until the worker can listen, or listens.
   *
   * @throws StartError if it ends before
   */
  async reaches(step: 'prepared' | 'serving'): Promise<void> {
    const end = await Promise.race([this.#steps[step].then(() => null), this.ended]);
    if (end !== null) throw this.startError(end);
  }

  /** The reason for which the worker could not start. */
  startError({ code, signal }: WorkerEnd): StartError {
    if (this.#failure?.isPortInUse) return new PortInUseError(this.#failure.message);
    const reason = signal ?? `exit code ${code}`;
    return new StartError(this.#failure?.message ?? `Worker ${this.number} ended while it was starting (${reason})`);
  }

  /** Sends a message; one to a worker that is gone is lost. */
  send(message: PrimaryMessage): void {
    if (this.#worker.isConnected()) this.#worker.send(message, undefined, () => undefined);
  }

  kill(signal: NodeJS.Signals): void {
    this.#worker.process.kill(signal);
  }

  /** Reads the metrics of the worker; none if it does not answer. */
  async measure(id: number): Promise<ProcessMetrics> {
    const measured = new Promise<ProcessMetrics>((settle) => this.#measured.set(id, settle));
    this.send({ kind: 'measure', id });
    const ending = new AbortController();
    const { signal } = ending;
    const late = pause(MEASURE_WITHIN_MS, undefined, { signal }).catch(() => undefined);
    const found = await Promise.race([measured, late, this.ended.then(() => undefined)]);
    ending.abort();
    this.#measured.delete(id);
    return found ?? [];
  }

  async #answer(id: number, gather: () => Promise<string>): Promise<void> {
    this.send({ kind: 'gathered', id, text: await gather() });
  }
}
