import { type MessageCursor, openMessages } from '../../models/server-messages.ts';

import { onFirstLogListener } from '../changes/on-change.ts';
import { onFirstPositionListener } from '../../tracking/recording/position-notices.ts';
import { heed, isAnybodyListening, lookAtPermissions, looksAtOthers } from './other-processes.ts';
import { ServerMessages } from './notify-processes.ts';
import type { Service } from '../../models/store/service.ts';

/** Interval of polling for changes of others without messages, in milliseconds. */
const LOOK_EVERY_MS = 150;
/**
 * The same with messages, since commands send none, and a process may have been killed before it sent one; also the interval of
 * attempts to read messages.
 */
const LOOK_BESIDE_MESSAGES_MS = 5000;
/**
 * Interval at which permissions are checked in addition to messages: streams end within a second after a revocation by any
 * process.
 */
const PERMISSIONS_EVERY_MS = 800;

/**
 * Notifies other processes of changes of this one, and listeners in this process of changes of others, by messages, which cost
 * nothing while there are none. Without capped collections, and until messages arrive, it polls.
 *
 * @param onFault called with the error; the work is retried
 */
export function watchOthers(
  service: Service,
  onFault: (error: unknown) => void,
): { readonly close: () => Promise<void> } {
  const own = new ServerMessages(service, onFault);
  const look = looksAtOthers(service);
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();
  let isWatching = false;
  let isOver = false;
  let looked = Number.NEGATIVE_INFINITY;
  const lookOn = async () => {
    if (!isAnybodyListening(service)) {
      await reading.end();
      isWatching = isAnybodyListening(service);
      if (!isWatching) return;
    }
    // A database without messages, or with slow ones, is polled all the same.
    reading.begin();
    const { isComplete } = reading;
    if (isComplete && Date.now() < looked + LOOK_BESIDE_MESSAGES_MS) await lookAtPermissions(service);
    else {
      // Changes before the first message are found by the first poll, or by the next.
      looked = isComplete ? Date.now() : Number.NEGATIVE_INFINITY;
      await look();
    }
    lookIn(isComplete && reading.isComplete ? PERMISSIONS_EVERY_MS : LOOK_EVERY_MS);
  };
  const lookIn = (delay: number) => {
    clearTimeout(timer);
    if (isOver) return;
    timer = setTimeout(() => {
      work = work.then(lookOn).catch((error: unknown) => {
        onFault(error);
        lookIn(PERMISSIONS_EVERY_MS);
      });
    }, delay).unref();
  };
  const reading = new MessageReading(service, own, onFault, () => lookIn(0));
  const begin = () => {
    if (isWatching) return;
    isWatching = true;
    lookIn(0);
  };
  const stops = [onFirstLogListener(service, begin), onFirstPositionListener(service, begin)];
  if (isAnybodyListening(service)) begin();
  return {
    close: async () => {
      isOver = true;
      clearTimeout(timer);
      for (const stop of stops) stop();
      await work;
      await reading.end();
      await own.close();
    },
  };
}

/** Reader of the messages of other processes. */
class MessageReading {
  readonly #service: Service;
  readonly #onFault: (error: unknown) => void;
  readonly #onEnd: () => void;
  readonly #own: ServerMessages;
  #cursor: MessageCursor | null = null;
  #reading: Promise<void> = Promise.resolve();
  #attempted = Number.NEGATIVE_INFINITY;
  #isBeginning = false;
  #isWanted = false;
  #isComplete = false;

  /** @param onEnd called when messages stop although reading was not ended */
  constructor(service: Service, own: ServerMessages, onFault: (error: unknown) => void, onEnd: () => void) {
    this.#service = service;
    this.#own = own;
    this.#onFault = onFault;
    this.#onEnd = onEnd;
  }

  /** True while all messages are read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Begins to read, unless that was just tried; a greeting of this process shows that messages arrive. */
  begin(): void {
    this.#isWanted = true;
    if (this.#cursor || this.#isBeginning || Date.now() < this.#attempted + LOOK_BESIDE_MESSAGES_MS) return;
    this.#attempted = Date.now();
    this.#isBeginning = true;
    void this.#open().finally(() => {
      this.#isBeginning = false;
    });
  }

  async end(): Promise<void> {
    this.#isWanted = false;
    const cursor = this.#cursor;
    this.#cursor = null;
    await cursor?.close();
    await this.#reading;
  }

  async #open(): Promise<void> {
    try {
      if (!(await this.#own.greet()) || !this.#isWanted) return;
      this.#cursor = openMessages(this.#service, this.#own.sender);
      this.#reading = this.#read(this.#cursor);
    } catch (error) {
      if (this.#isWanted) this.#onFault(error);
    }
  }

  async #read(cursor: MessageCursor): Promise<void> {
    try {
      for await (const message of cursor) {
        if (message.sender === this.#own.sender) this.#isComplete = true;
        else await heed(this.#service, message);
      }
    } catch (error) {
      if (this.#cursor === cursor) this.#onFault(error);
      this.#own.askAgain();
    } finally {
      this.#isComplete = false;
      if (this.#cursor === cursor) {
        this.#cursor = null;
        this.#onEnd();
      }
    }
  }
}
