import { Readable } from 'node:stream';

import type { Page } from '../../schema/page.ts';

/** Events of a subscription, each executed as the document says. */
export interface EventSource {
  /** Nothing more is read from it once it has returned. */
  readonly events: AsyncIterator<unknown>;
  readonly execute: (event: unknown) => Promise<object>;
}

/** The cursor of an event that is a page of a list: what a client sends as `Last-Event-ID` to continue after it. */
function idOf(event: unknown): string | undefined {
  const isPage = typeof event === 'object' && event !== null && 'page_info' in event;
  return isPage ? ((event as Page<unknown>).page_info.end_cursor ?? undefined) : undefined;
}

/** A comment, which clients ignore: it shows that a connection is there. */
const HEARTBEAT = ':\n\n';
/** The last event of an operation. */
export const COMPLETE = 'event: complete\ndata:\n\n';

/**
 * The event of a result, which is JSON on one line.
 * @param id for `Last-Event-ID`, if the client can continue after the event (HTML, section 9.2)
 */
export function eventOf(result: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: next\ndata: ${result}\n\n`;
}

/**
 * The body of a subscription's answer, by the protocol of graphql-sse in distinct connections mode. An event is taken from its
 * source only after the previous one has been sent to the client, so that the source decides what a slow client gets.
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export class EventStream extends Readable {
  #source: EventSource;
  #isReading = false;
  #isEnding = false;
  /** True if something was sent since the last heartbeat. */
  #hasSent = true;

  constructor(source: EventSource) {
    super({ highWaterMark: 1 });
    this.#source = source;
    this.push(HEARTBEAT);
  }

  /** Continues with another source. */
  replace(source: EventSource): void {
    const before = this.#source;
    this.#source = source;
    void before.events.return?.();
    if (this.#isEnding || this.destroyed) void source.events.return?.();
  }

  /** Sends a heartbeat, unless something was sent since the last one. */
  beat(): void {
    if (!this.#hasSent && this.readableLength === 0 && !this.#isEnding) this.push(HEARTBEAT);
    this.#hasSent = false;
  }

  /** Ends with a last result, which has errors; the client does not connect again by itself. */
  fail(result: string): void {
    this.#finish(`${eventOf(result)}${COMPLETE}`);
  }

  /** Ends in the middle: the client may connect again. */
  interrupt(): void {
    this.#finish(null);
  }

  override _read(): void {
    if (this.#isReading || this.#isEnding) return;
    this.#isReading = true;
    this.#send().catch((error: Error) => this.destroy(error));
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#isEnding = true;
    void this.#source.events.return?.();
    callback(error);
  }

  async #send(): Promise<void> {
    for (;;) {
      const source = this.#source;
      const { value, done } = await source.events.next();
      if (this.#isEnding) return;
      if (done && source !== this.#source) continue;
      if (done) return this.#finish(COMPLETE);
      const result = await source.execute(value);
      if (this.#isEnding) return;
      this.#isReading = false;
      this.#hasSent = true;
      this.push(eventOf(JSON.stringify(result), idOf(value)));
      return;
    }
  }

  #finish(last: string | null): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    void this.#source.events.return?.();
    if (last !== null) this.push(last);
    this.push(null);
  }
}
