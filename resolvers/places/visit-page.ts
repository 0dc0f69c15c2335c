import { VisitModel } from '../../models/places/visit.ts';
import { readShown } from '../../models/read-shown.ts';
import type { AccessScope } from '../../models/tenancy.ts';
import { type Page, pageOf } from '../../schema/page.ts';
import type { Visit } from '../../schema/places/visit.ts';

import type { TimeCondition } from '../input/read-window.ts';
import { checkPageSize } from '../pages/creation-page.ts';
import { fromPlace, readTimeCursor, timeCursor } from '../pages/time-cursor.ts';

/** Visits to list. */
export interface VisitPageQuery {
  readonly accessScope: AccessScope;
  /** Condition on the visits, such as those of a vehicle. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Window of the entry; null for any. */
  readonly entry: TimeCondition | null;
  readonly first: number;
  readonly after: string | null | undefined;
}

/**
 * A page of visits by entry, newest first, then by key.
 * @throws ServiceError BAD_REQUEST for an invalid size or cursor
 */
export async function visitPage({ accessScope, filter, entry, first, after }: VisitPageQuery): Promise<Page<Visit>> {
  const size = checkPageSize(first);
  const start = after == null ? {} : fromPlace('entry_timestamp', readTimeCursor(after));
  const found = await readShown(
    VisitModel,
    { accessScope, filter: { ...filter, ...(entry && { entry_timestamp: entry }), ...start, staged: false } },
    { sort: { entry_timestamp: -1, key: 1 }, limit: size + 1 },
  );
  const visits = found.map((visit): Visit => ({ ...visit, status: visit.exit_timestamp === null ? 'open' : 'closed' }));
  return pageOf(visits, size, ({ entry_timestamp, key }) => timeCursor({ time: entry_timestamp, key }));
}
