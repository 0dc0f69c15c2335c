import { once } from 'node:events';
import { Agent, request } from 'node:https';
import type { ClientRequest, IncomingMessage } from 'node:http';

const SUBSCRIPTION =
  'subscription ($keys: [String!]) { vehicle_moved(vehicle_keys: $keys) { vehicle_location { timestamp } } }';
const NEXT = 'event: next';
/** Streams that are opened at the same time. */
const OPENED_TOGETHER = 16;

/** Readers of streams, each with a connection of its own, as a page has it. */
export class EventReaders {
  readonly #url: string;
  readonly #apiKey: string;
  readonly #open: ClientRequest[] = [];
  /** Times at which events have arrived since they were last taken. */
  #arrivals: number[] = [];
  #awaited: { readonly count: number; readonly resolve: () => void } | null = null;

  constructor(url: string, apiKey: string) {
    this.#url = url;
    this.#apiKey = apiKey;
  }

  get count(): number {
    return this.#open.length;
  }

  /** Follows vehicles, one by each stream. */
  async follow(vehicleKeys: readonly string[]): Promise<void> {
    const left = [...vehicleKeys];
    const openNext = async (): Promise<void> => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await this.#openStream(key);
    };
    await Promise.all(Array.from({ length: OPENED_TOGETHER }, openNext));
  }

  /** Waits for so many events since the last call, and takes the times of their arrival. */
  async take(count: number): Promise<readonly number[]> {
    if (this.#arrivals.length < count) {
      await new Promise<void>((resolve) => {
        this.#awaited = { count, resolve };
      });
    }
    const arrivals = this.#arrivals;
    this.#arrivals = [];
    return arrivals;
  }

  close(): void {
    for (const stream of this.#open) stream.destroy();
  }

  async #openStream(key: string): Promise<void> {
    const headers = {
      'service-api-key': this.#apiKey,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    };
    const agent = new Agent({ keepAlive: false, rejectUnauthorized: false });
    const stream = request(this.#url, { method: 'POST', headers, agent });
    stream.on('error', () => undefined);
    stream.end(JSON.stringify({ query: SUBSCRIPTION, variables: { keys: [key] } }));
    const [answer] = (await once(stream, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`A stream was answered with ${answer.statusCode}`);
    answer.setEncoding('utf8').on('error', () => undefined);
    const first = once(answer, 'data');
    answer.on('data', (text: string) => this.#receive(text));
    await first;
    this.#open.push(stream);
  }

  #receive(text: string): void {
    const count = text.split(NEXT).length - 1;
    for (let event = 0; event < count; event++) this.#arrivals.push(performance.now());
    if (this.#awaited && this.#arrivals.length >= this.#awaited.count) {
      this.#awaited.resolve();
      this.#awaited = null;
    }
  }
}
