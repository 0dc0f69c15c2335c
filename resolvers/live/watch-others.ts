import { type MessageCursor, openMessages } from '../../models/server-messages.ts';

import { heed, isAnybodyListening, looksAtOthers } from './other-processes.ts';
import { ServerMessages } from './tell-others.ts';

/** Interval at which is looked whether anybody listens, and for what others have stored where no messages come; in milliseconds. */
const LOOK_EVERY_MS = 150;
/** The same where messages come, since a process may have been killed before it sent one; and that of attempts to read messages. */
const LOOK_BESIDE_MESSAGES_MS = 5000;

/**
 * Tells other processes what this one has stored, and those in this process who listen what others have: by messages, which cost
 * nothing while there are none. Where the database has no capped collections, and until messages come, it looks by itself.
 *
 * @param onFault called with what went wrong; the work is tried again
 */
export function watchOthers(onFault: (error: unknown) => void): { readonly close: () => Promise<void> } {
  const own = new ServerMessages(onFault);
  const reading = new MessageReading(own, onFault);
  const look = looksAtOthers();
  let looked = Number.NEGATIVE_INFINITY;
  let work: Promise<void> | null = null;
  const lookIfDue = async () => {
    if (!isAnybodyListening()) return reading.end();
    if (!reading.isComplete) await reading.begin();
    else if (Date.now() < looked + LOOK_BESIDE_MESSAGES_MS) return;
    // What was stored before messages come is seen by this look, or by the next, which is then beside messages.
    looked = reading.isComplete ? Date.now() : Number.NEGATIVE_INFINITY;
    await look();
  };
  const timer = setInterval(() => {
    work ??= lookIfDue()
      .catch(onFault)
      .finally(() => {
        work = null;
      });
  }, LOOK_EVERY_MS).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await work;
      await reading.end();
      await own.close();
    },
  };
}

/** Reading of the messages of other processes. */
class MessageReading {
  readonly #onFault: (error: unknown) => void;
  readonly #own: ServerMessages;
  #cursor: MessageCursor | null = null;
  #reading: Promise<void> = Promise.resolve();
  #attempted = Number.NEGATIVE_INFINITY;
  #isComplete = false;

  constructor(own: ServerMessages, onFault: (error: unknown) => void) {
    this.#own = own;
    this.#onFault = onFault;
  }

  /** True while each message is read that is sent. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Begins to read, unless that was tried just now; the first of this process shows that messages come. */
  async begin(): Promise<void> {
    if (this.#cursor || Date.now() < this.#attempted + LOOK_BESIDE_MESSAGES_MS) return;
    this.#attempted = Date.now();
    if (!(await this.#own.send())) return;
    this.#cursor = openMessages();
    this.#reading = this.#read(this.#cursor);
  }

  async end(): Promise<void> {
    const cursor = this.#cursor;
    this.#cursor = null;
    await cursor?.close();
    await this.#reading;
    this.#attempted = Number.NEGATIVE_INFINITY;
  }

  async #read(cursor: MessageCursor): Promise<void> {
    try {
      for await (const message of cursor) {
        if (message.sender === this.#own.sender) this.#isComplete = true;
        else await heed(message);
      }
    } catch (error) {
      if (this.#cursor === cursor) this.#onFault(error);
    } finally {
      this.#isComplete = false;
      if (this.#cursor === cursor) this.#cursor = null;
    }
  }
}
