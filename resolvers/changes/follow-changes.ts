import type { GraphQLSchema } from 'graphql';

import { accessScopeOf, StreamProgress } from '../../auth/caller.ts';
import { readPermissionStamp } from '../../models/store/permission-stamp.ts';
import type { Change } from '../../schema/changes/change.ts';
import type { Page } from '../../schema/page.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { changePage } from './change-page.ts';
import type { RecordReading } from './changed-records.ts';
import { onChange } from '../../notifying/changes/on-change.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import type { Service } from '../../models/store/service.ts';

/** A place in the log from which it is followed, and the size of its pages. */
export interface FollowedLog {
  readonly after?: string | null;
  readonly first?: number | null;
}

/**
 * Follows the log of the caller's account: what has changed since a cursor, and each later change. A client that connects again
 * with the `Last-Event-ID` of the page that it has goes on after that one, whatever its variables say.
 *
 * @throws ServiceError as {@link changePage} does
 */
export async function followChanges(
  service: Service,
  schema: GraphQLSchema,
  reading: RecordReading,
  { after, first }: FollowedLog,
): Promise<FollowedChanges> {
  const { caller, progress = new StreamProgress() } = reading.context;
  const stamp = await readPermissionStamp(service);
  const read = async () => {
    const { cursor, lastEventId } = progress;
    const query = { after: cursor ?? lastEventId ?? after, first: first ?? 100, wait: 0 };
    const page = await changePage(service, schema, reading, query).catch((error: unknown) => {
      throw cursor === null && lastEventId !== null ? namingHeader(error) : error;
    });
    // Once permissions are others, the stream begins again.
    if ((await readPermissionStamp(service)) !== stamp) return null;
    progress.cursor = page.page_info.end_cursor;
    return page;
  };
  return new FollowedChanges(accessScopeOf({ service, caller }), progress.cursor === null ? await read() : null, read);
}

/** An error about `after` as one about the header in its place. */
function namingHeader(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  return new ServiceError(error.code, error.message.replace(/^after\b/, 'Last-Event-ID'));
}

/**
 * Pages of the log of an account, for one reader: each is read once the one before has been taken, so that a slow reader gets
 * larger pages, and nothing waits for it.
 */
class FollowedChanges implements AsyncIterableIterator<Page<Change>> {
  readonly #read: () => Promise<Page<Change> | null>;
  readonly #stopListening: () => void;
  #first: Page<Change> | null;
  #hasNews = true;
  #isOver = false;
  #wake: () => void = () => undefined;

  /** @param read the next page; null where nothing is shown any more */
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
