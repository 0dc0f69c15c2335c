import { Agent, request } from 'node:https';
import { parentPort, Worker } from 'node:worker_threads';

/** Requests to send, so many at a time, on connections that are kept. */
export interface LoadRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** `%n` in it is another number in each request. */
  readonly body: string;
  readonly count: number;
  readonly concurrency: number;
}

/** Durations of the answers, in milliseconds, and the size of one on the wire, in bytes. */
export interface LoadResult {
  readonly times: readonly number[];
  readonly bytes: number;
}

/** A client in a thread of its own, so that it takes no time from the service that it measures. */
export class HttpsLoad {
  readonly #worker = new Worker(new URL(import.meta.url));

  /** Sends requests and measures them. Rejects where an answer is not 200. */
  send(load: LoadRequest): Promise<LoadResult> {
    return new Promise((resolve, reject) => {
      this.#worker.once('message', (result: LoadResult | { readonly failure: string }) => {
        if ('failure' in result) reject(new Error(result.failure));
        else resolve(result);
      });
      this.#worker.postMessage(load);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

parentPort?.on('message', (load: LoadRequest) => {
  measure(load).then(
    (result) => parentPort?.postMessage(result),
    (error: unknown) => parentPort?.postMessage({ failure: String(error) }),
  );
});

async function measure(load: LoadRequest): Promise<LoadResult> {
  const times: number[] = [];
  let bytes = 0;
  let left = load.count;
  const one = async () => {
    while (left-- > 0) {
      const from = performance.now();
      bytes = await ask(load);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, one));
  return { times, bytes };
}

let sequence = 0;

function ask({ url, method, headers, body }: LoadRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`${method} ${url} was answered with ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end(body.replace('%n', String(sequence++)));
  });
}
