import type { AccessScope } from '../../models/store/tenancy.ts';
import type { Change } from '../../schema/changes/change.ts';
import type { Page } from '../../schema/page.ts';

import { onChange } from './on-change.ts';

/**
 * Pages of the log of an account, for one reader: each is read after the previous one has been taken, so that a slow reader gets
 * larger pages, and nothing waits for it.
 */
export class FollowedChanges implements AsyncIterableIterator<Page<Change>> {
  readonly #read: () => Promise<Page<Change> | null>;
  readonly #stopListening: () => void;
  #first: Page<Change> | null;
  #hasNews = true;
  #isOver = false;
  #wake: () => void = () => undefined;

  /** @param read the next page; null if nothing is shown any longer */
  constructor(
    { service, account_key }: AccessScope,
    first: Page<Change> | null,
    read: () => Promise<Page<Change> | null>,
  ) {
    this.#first = first;
    this.#read = read;
    this.#stopListening = onChange(service, account_key, () => {
      this.#hasNews = true;
      this.#wake();
    });
  }

  async next(): Promise<IteratorResult<Page<Change>>> {
    const first = this.#first;
    this.#first = null;
    if (first) return { value: first, done: false };
    while (!this.#isOver) {
      this.#hasNews = false;
      const page = await this.#read();
      if (!this.#isOver && page && page.nodes.length > 0) return { value: page, done: false };
      if (!page?.page_info.has_next_page) await this.#news();
    }
    return { value: undefined, done: true };
  }

  async return(): Promise<IteratorResult<Page<Change>>> {
    this.#isOver = true;
    this.#stopListening();
    this.#wake();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #news(): Promise<void> {
    if (this.#hasNews || this.#isOver) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
