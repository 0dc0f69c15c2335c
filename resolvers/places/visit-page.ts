import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { VisitStore } from '../../models/places/visit.ts';
import type { Page } from '../../schema/page.ts';
import type { Visit } from '../../schema/places/visit.ts';

import type { TimeCondition } from '../../schema/read-window.ts';
import { checkPageSize } from '../../models/lists/creation-page.ts';
import { ListCursors } from '../../models/lists/list-cursors.ts';
import { fromStart, inTimeOrder, timeOrder, type TimePlace, timePlaces } from '../../models/lists/time-cursor.ts';
import { documentsOfVehicle } from '../../tracking/views/documents-of-vehicles.ts';
import type { VisibleVehicles } from '../../tracking/visibility/visible-vehicles.ts';

/** Visits to list. */
export interface VisitPageQuery {
  /** The request, in which pages of several vehicles are read together. */
  readonly context: RequestContext;
  /** Of these vehicles, each part read by itself. */
  readonly visible: readonly VisibleVehicles[];
  /** Condition on the visits, such as those of a place. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Window of the entry; null for any. */
  readonly entry: TimeCondition | null;
  /** Number of visits; negative for those before the cursor. */
  readonly first: number;
  readonly after: string | null | undefined;
}

/**
 * A page of visits by entry, newest first, then by key.
 * @throws ServiceError BAD_REQUEST for an invalid size or cursor
 */
export async function visitPage(query: VisitPageQuery): Promise<Page<Visit>> {
  const { context, visible, filter, entry, first, after } = query;
  const accessScope = accessScopeOf(context);
  const size = checkPageSize(first);
  const ofKey = async (key: string) => (await visitsByKey(visible, key)).map(placeOf)[0] ?? null;
  const cursors = await ListCursors.of(accessScope.service, ['Visit', accessScope], timePlaces(ofKey));
  const start = await cursors.start(after);
  const isBackward = first < 0;
  const from = start && fromStart('entry_timestamp', start, isBackward);
  const those = { ...filter, ...(entry && { entry_timestamp: entry }), ...from, staged: false };
  const found = await Promise.all(
    visible.map((part) =>
      documentsOfVehicle(context, {
        ...{ model: VisitStore, accessScope: part.accessScope, filter: { ...part.filter, ...those } },
        ...{ projection: VisitStore.shownFields(), sort: timeOrder('entry_timestamp', isBackward), limit: size + 1 },
      }),
    ),
  );
  const visits = (found.flat() as Omit<Visit, 'status'>[]).map(withStatus);
  return cursors.page({ found: inTimeOrder(visits, placeOf, isBackward), size, start, placeOf, isBackward });
}

function placeOf({ entry_timestamp, key }: Pick<Visit, 'entry_timestamp' | 'key'>): TimePlace {
  return { time: entry_timestamp, key };
}

/** The visit of one of the visible vehicles with a key; undefined if there is none. */
export async function findVisit(visible: readonly VisibleVehicles[], key: string): Promise<Visit | undefined> {
  return (await visitsByKey(visible, key)).map(withStatus)[0];
}

async function visitsByKey(visible: readonly VisibleVehicles[], key: string) {
  const found = await Promise.all(
    visible.map(({ accessScope, filter }) =>
      VisitStore.readOneShown({ accessScope, filter: { ...filter, key, staged: false } }),
    ),
  );
  return found.filter((visit) => visit !== null);
}

/** Adds to a visit as it is stored whether it is over. */
export function withStatus(visit: Omit<Visit, 'status'>): Visit {
  return { ...visit, status: visit.exit_timestamp === null ? 'open' : 'closed' };
}
