import http from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { parentPort, Worker } from 'node:worker_threads';

import { waitTimes } from './times.ts';

/** Requests to send, so many at a time, on connections that are kept. */
export interface LoadRequest {
  /** Each `%n` in it is another number in each request, as in the body. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the callers, who ask in turn. */
  readonly callers?: readonly Readonly<Record<string, string>>[];
  /** Each `%n` in it is another number of six digits in each request, each `%t` another instant, a second after the last. */
  readonly body: string;
  /** Requests that are due; Infinity for all until {@link HttpsLoad.stop}. */
  readonly count: number;
  readonly concurrency: number;
  /** A request is due each so many milliseconds, see {@link waitTimes}; without it, one follows on the answer. */
  readonly everyMs?: number;
  /** Time after which no other request is sent, in milliseconds. */
  readonly maxMs?: number;
  /** Status of the answers; 200 by default. */
  readonly status?: number;
}

/** Durations of the answers, in milliseconds, and the size of one on the wire, in bytes. */
export interface LoadResult {
  readonly times: readonly number[];
  readonly bytes: number;
}

/** A client in a thread of its own, so that it takes no time from the service that it measures. */
export class HttpsLoad {
  readonly #worker = new Worker(new URL(import.meta.url));

  /** Sends requests and measures them. Rejects if an answer has another status. */
  send(load: LoadRequest): Promise<LoadResult> {
    return new Promise((resolve, reject) => {
      this.#worker.once('message', (result: LoadResult | { readonly failure: string }) => {
        if ('failure' in result) reject(new Error(result.failure));
        else resolve(result);
      });
      this.#worker.postMessage(load);
    });
  }

  /** Lets no other request be sent; what is under way is measured, and {@link send} resolves. */
  stop(): void {
    this.#worker.postMessage('stop');
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
const plainAgent = new http.Agent({ keepAlive: true });

/** Requests that are still due. */
let left = 0;

parentPort?.on('message', (message: LoadRequest | 'stop') => {
  if (message === 'stop') {
    left = 0;
    return;
  }
  measure(message).then(
    (result) => parentPort?.postMessage(result),
    (error: unknown) => parentPort?.postMessage({ failure: String(error) }),
  );
});

async function measure(load: LoadRequest): Promise<LoadResult> {
  const { everyMs = Number.POSITIVE_INFINITY, maxMs = Number.POSITIVE_INFINITY } = load;
  const times: number[] = [];
  const end = performance.now() + maxMs;
  let bytes = 0;
  left = load.count;
  const one = async () => {
    while (left > 0 && performance.now() < end) {
      left--;
      const from = performance.now();
      bytes = await ask(load);
      const waited = waitTimes(performance.now() - from, everyMs);
      times.push(...waited);
      left -= waited.length - 1;
      if (load.everyMs !== undefined) await setTimeout(from + waited.length * everyMs - performance.now());
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, one));
  return { times, bytes };
}

let sequence = 0;
let seconds = 0;
/** A month ago: what was sent each second since is past for as long as a bench lasts. */
const FIRST_INSTANT = Date.now() - 30 * 86_400_000;

function filled(body: string): string {
  return body
    .replaceAll('%n', () => String(sequence++).padStart(6, '0'))
    .replaceAll('%t', () => new Date(FIRST_INSTANT + 1000 * seconds++).toISOString());
}

let turn = 0;

function ask({ url, method, headers: common, callers = [{}], body, status = 200 }: LoadRequest): Promise<number> {
  const headers = { ...common, ...callers[turn++ % callers.length] };
  return new Promise((resolve, reject) => {
    const isPlain = url.startsWith('http:');
    const request = isPlain ? http.request : https.request;
    const sent = request(filled(url), { method, headers, agent: isPlain ? plainAgent : agent }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === status) resolve(bytes);
        else reject(new Error(`${method} ${url} was answered with ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end(filled(body));
  });
}
