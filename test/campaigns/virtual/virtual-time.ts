import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';

import type { Random } from '../../../server/demo/random.ts';

/** A process that is simulated. What it has begun belongs to it: its timers, its connections, its files. */
export interface Process {
  readonly name: string;
  /** True if it was killed: nothing of it happens any more. */
  isDead: boolean;
  /** The time until which it stands still, as `VirtualTime.now`. */
  stopsUntil: number;
  /** Milliseconds by which its clock is ahead of the true time. */
  clockAhead: number;
}

/** Makes a process that runs. */
export function newProcess(name: string): Process {
  return { name, isDead: false, stopsUntil: 0, clockAhead: 0 };
}

/** The simulated process whose code runs. */
export const processes = new AsyncLocalStorage<Process>();

/** Something that happens at a time. */
interface Happening {
  at: number;
  order: number;
  readonly of: Process | undefined;
  readonly kind: string;
  readonly run: () => void;
  isOver: boolean;
}

/** Exports of `node:timers` and others, to be replaced. */
type Exports = Record<string, unknown>;

const require = createRequire(import.meta.url);
const real = { setImmediate, clearTimeout, clearInterval, clearImmediate, Date };
/** Time that passes with each turn of the event loop, in milliseconds: whoever waits turn by turn waits for something. */
const TURN_MS = 0.02;
/** Happenings without an end of the simulation: what is simulated goes round in circles. */
const MAX_HAPPENINGS = 20_000_000;

let runs = 0;

/**
 * The time of a simulation: it stands still while code runs, and jumps to the next timer, or to the next delivery of the network.
 * While it is installed, `Date`, `performance`, timers and random numbers of this process are those of the simulation, and follow
 * from its seed.
 */
export class VirtualTime {
  /** Milliseconds on the clock that nobody sets. */
  now = 1_000_000;
  /** Number of what has happened. */
  happened = 0;
  /** Errors that nobody caught. */
  readonly uncaught: unknown[] = [];
  readonly #random: Random;
  readonly #run = runs++;
  readonly #trace = createHash('sha256');
  #wall: number;
  #order = 0;
  /** The next is the last. */
  readonly #queue: Happening[] = [];
  #outside = 0;
  #lastOutside: Promise<unknown> = Promise.resolve();

  /** @param begin the true time at the beginning, in milliseconds since 1970 */
  constructor(random: Random, begin: number) {
    this.#random = random;
    this.#wall = begin - this.now;
  }

  /** The true time, in milliseconds since 1970. */
  get wall(): number {
    return this.#wall + this.now;
  }

  /** The time on the clock of the process that runs. */
  get clock(): number {
    return Math.floor(this.wall + (processes.getStore()?.clockAhead ?? 0));
  }

  /** Suspends everything for some time, as a machine that sleeps: only clocks that show the time of day go on. */
  suspend(ms: number): void {
    this.note(`all sleep ${ms}`);
    this.#wall += ms;
  }

  /** Notes something in the trace, which is the same for the same seed. */
  note(what: string): void {
    this.#trace.update(`${this.now.toFixed(3)} ${what}\n`);
  }

  /** The hash of all that has happened. */
  get trace(): string {
    return this.#trace.copy().digest('hex').slice(0, 16);
  }

  /** Lets something happen after some milliseconds. */
  after(ms: number, kind: string, run: () => void, of = processes.getStore()): Happening {
    const happening = { at: this.now + ms, order: this.#order++, of, kind, run, isOver: false };
    this.#insert(happening);
    return happening;
  }

  /** Waits for some milliseconds. */
  pause(ms: number): Promise<void> {
    return new Promise((settle) => this.after(ms, 'pause', settle));
  }

  /** Lets time pass until a promise has settled. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    work.then(settle, settle);
    for (;;) {
      await this.#turn();
      if (isSettled) return work;
      const next = this.#queue.pop();
      if (!next) throw new Error('Nothing can happen any more, and what is awaited has not happened');
      if (next.isOver || next.of?.isDead) continue;
      if (next.of && next.of.stopsUntil > next.at) {
        this.#insert(Object.assign(next, { at: next.of.stopsUntil, order: this.#order++ }));
        continue;
      }
      this.now = Math.max(this.now, next.at);
      this.happened += 1;
      if (this.happened > MAX_HAPPENINGS)
        throw new Error(`${MAX_HAPPENINGS} things have happened, and there is no end`);
      next.isOver = true;
      this.note(`${next.of?.name ?? ''} ${next.kind}`);
      try {
        next.run();
      } catch (error) {
        this.uncaught.push(error);
      }
    }
  }

  /** Replaces time and chance of this process; returns the function that restores them. */
  install(): () => void {
    const restores = [
      ...this.#replaceTimers(),
      this.#replace(globalThis as unknown as Exports, 'Date', this.#dateClass()),
      this.#replace(performance as unknown as Exports, 'now', () => this.now),
      this.#replace(AbortSignal as unknown as Exports, 'timeout', (ms: number) => this.#abortedAfter(ms)),
      ...this.#replaceChance(),
      ...this.#awaitCryptography(),
    ];
    syncBuiltinESMExports();
    const onRejection = (error: unknown) => this.uncaught.push(error);
    process.on('unhandledRejection', onRejection);
    return () => {
      process.off('unhandledRejection', onRejection);
      for (const restore of restores.reverse()) restore();
      syncBuiltinESMExports();
    };
  }

  #insert(happening: Happening): void {
    let [from, to] = [0, this.#queue.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#queue[middle];
      if (other && (other.at > happening.at || (other.at === happening.at && other.order > happening.order)))
        from = middle + 1;
      else to = middle;
    }
    this.#queue.splice(from, 0, happening);
  }

  /** Lets everything run that waits for nothing but this process, and for what threads of Node.js do for it. */
  async #turn(): Promise<void> {
    do await new Promise((settle) => real.setImmediate(settle));
    while (this.#outside > 0 || process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq')));
  }

  #replace(exports: Exports, name: string, value: unknown): () => void {
    const before = Object.getOwnPropertyDescriptor(exports, name);
    Object.defineProperty(exports, name, {
      value,
      configurable: true,
      writable: true,
      enumerable: before?.enumerable ?? true,
    });
    return () => {
      if (before) Object.defineProperty(exports, name, before);
      else delete exports[name];
    };
  }

  #replaceTimers(): (() => void)[] {
    type Callback = (...args: unknown[]) => void;
    const start = (kind: string, callback: Callback, ms: unknown, args: unknown[], repeats: boolean) =>
      new VirtualTimer(this, { kind, callback: () => callback(...args), ms: delayOf(ms), repeats });
    const stop = (clearReal: (timer: NodeJS.Timeout) => void) => (timer: unknown) => {
      if (timer instanceof VirtualTimer) timer.close();
      else if (timer !== undefined && timer !== null) clearReal(timer as NodeJS.Timeout);
    };
    const timers: Exports = {
      setTimeout: (callback: Callback, ms?: unknown, ...args: unknown[]) => start('timer', callback, ms, args, false),
      setInterval: (callback: Callback, ms?: unknown, ...args: unknown[]) =>
        start('interval', callback, ms, args, true),
      setImmediate: (callback: Callback, ...args: unknown[]) => {
        const start = () =>
          new VirtualTimer(this, { kind: 'turn', callback: () => callback(...args), ms: TURN_MS, repeats: false });
        // All servers share the queue of `tracking/scheduling/time-slice.ts`: it goes on when the one that began it dies.
        return callback.name === 'grantTurn' ? processes.exit(start) : start();
      },
      clearTimeout: stop(real.clearTimeout),
      clearInterval: stop(real.clearInterval),
      clearImmediate: stop(real.clearImmediate as unknown as (timer: NodeJS.Timeout) => void),
    };
    const promises: Exports = {
      setTimeout: (ms?: unknown, value?: unknown, options?: { readonly signal?: AbortSignal }) =>
        this.#paused(delayOf(ms), value, options?.signal),
      setImmediate: (value?: unknown, options?: { readonly signal?: AbortSignal }) =>
        this.#paused(TURN_MS, value, options?.signal),
    };
    const all = [
      ...Object.entries(timers).flatMap(([name, value]) => [
        this.#replace(globalThis as unknown as Exports, name, value),
        this.#replace(require('node:timers') as Exports, name, value),
      ]),
      ...Object.entries(promises).map(([name, value]) =>
        this.#replace(require('node:timers/promises') as Exports, name, value),
      ),
    ];
    return all;
  }

  #paused(ms: number, value: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    return new Promise((settle, reject) => {
      if (signal?.aborted) return reject(abortError(signal));
      const onAbort = () => {
        timer.close();
        if (signal) reject(abortError(signal));
      };
      const callback = () => {
        signal?.removeEventListener('abort', onAbort);
        settle(value);
      };
      const timer = new VirtualTimer(this, { kind: 'pause', callback, ms, repeats: false });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  #abortedAfter(ms: number): AbortSignal {
    const ending = new AbortController();
    const callback = () => ending.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    new VirtualTimer(this, { kind: 'timeout', callback, ms, repeats: false });
    return ending.signal;
  }

  #dateClass(): unknown {
    const clock = () => this.clock;
    return new Proxy(real.Date, {
      construct: (target, args, newTarget) =>
        Reflect.construct(target, args.length === 0 ? [clock()] : args, newTarget),
      apply: () => new real.Date(clock()).toString(),
      get: (target, name) => (name === 'now' ? clock : Reflect.get(target, name)),
    });
  }

  #replaceChance(): (() => void)[] {
    const crypto = require('node:crypto') as Exports;
    const fill = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(this.#random.next() * 256);
      // Names are other ones in each run of a process, in the same order.
      if (bytes.length >= 8) new DataView(bytes.buffer, bytes.byteOffset).setUint16(bytes.length - 2, this.#run);
    };
    const randomBytes = (size: number, then?: (error: null, bytes: Buffer) => void) => {
      const bytes = Buffer.alloc(size);
      fill(bytes);
      if (then) queueMicrotask(() => then(null, bytes));
      return bytes;
    };
    const randomUUID = () => {
      const digits = randomBytes(16).toString('hex');
      return [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `a${digits.slice(17, 20)}`]
        .concat(digits.slice(20))
        .join('-');
    };
    const randomInt = (least: number, limit?: number) =>
      limit === undefined ? this.#below(least) : least + this.#below(limit - least);
    const getRandomValues = <T extends ArrayBufferView>(view: T): T => {
      fill(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
      return view;
    };
    const webcrypto = globalThis.crypto as unknown as Exports;
    return [
      this.#replace(Math as unknown as Exports, 'random', () => this.#random.next()),
      this.#replace(crypto, 'randomBytes', randomBytes),
      this.#replace(crypto, 'randomUUID', randomUUID),
      this.#replace(crypto, 'randomInt', randomInt),
      this.#replace(webcrypto, 'getRandomValues', getRandomValues),
      this.#replace(webcrypto, 'randomUUID', randomUUID),
    ];
  }

  #below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  /** Web cryptography works in threads: time stands still meanwhile, and results come in the order of the requests. */
  #awaitCryptography(): (() => void)[] {
    const subtle = globalThis.crypto.subtle as unknown as Exports;
    const names = ['encrypt', 'decrypt', 'digest', 'sign', 'verify', 'importKey', 'deriveBits', 'deriveKey'];
    return names.map((name) => {
      const before = subtle[name] as (...args: unknown[]) => Promise<unknown>;
      const inOrder = (...args: unknown[]) => {
        const work = before.apply(subtle, args);
        const inTurn = this.#lastOutside.then(() => work);
        this.#outside += 1;
        const end = () => {
          this.#outside -= 1;
        };
        this.#lastOutside = inTurn.then(end, end);
        return inTurn;
      };
      return this.#replace(subtle, name, inOrder);
    });
  }
}

interface TimerParts {
  readonly kind: string;
  readonly callback: () => void;
  readonly ms: number;
  readonly repeats: boolean;
}

/** A timer of the simulation, as far as the program uses those of Node.js. */
class VirtualTimer {
  readonly #time: VirtualTime;
  readonly #parts: TimerParts;
  readonly #run: () => void;
  #next: { isOver: boolean };

  constructor(time: VirtualTime, parts: TimerParts) {
    this.#time = time;
    this.#parts = parts;
    const { callback, repeats } = parts;
    this.#run = AsyncResource.bind(() => {
      if (repeats) this.refresh();
      callback();
    });
    this.#next = this.#start();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.close();
    this.#next = this.#start();
    return this;
  }

  close(): void {
    this.#next.isOver = true;
  }

  #start(): { isOver: boolean } {
    return this.#time.after(this.#parts.ms, this.#parts.kind, this.#run);
  }
}

function delayOf(ms: unknown): number {
  const delay = Number(ms ?? 1);
  return delay >= 1 && delay <= 2 ** 31 - 1 ? delay : 1;
}

function abortError({ reason }: AbortSignal): Error {
  return Object.assign(new Error('The operation was aborted', { cause: reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  });
}
