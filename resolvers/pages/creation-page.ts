import type { QueryFilter } from 'mongoose';

import type { ModelOf } from '../../models/model-of.ts';
import { readShown } from '../../models/read-shown.ts';
import type { AccessScope, UNRESTRICTED } from '../../models/tenancy.ts';
import { type Page, pageOf, readCursor, readSize, unknownCursor } from '../../schema/page.ts';
import { ServiceError } from '../../schema/service-error.ts';

/** The largest page that GraphQL serves. */
const MAX_PAGE_SIZE = 1000;

/**
 * Checks the `first` of a connection.
 *
 * @throws ServiceError BAD_REQUEST where it is not 1 to {@link MAX_PAGE_SIZE}
 */
export function checkPageSize(first: number): number {
  if (first < 1 || first > MAX_PAGE_SIZE) {
    throw new ServiceError('BAD_REQUEST', `first must be 1 to ${MAX_PAGE_SIZE}`);
  }
  return first;
}

/** Page of objects to read. */
export interface CreationPageQuery<T, Hidden extends keyof T = never> {
  readonly accessScope: AccessScope | typeof UNRESTRICTED;
  readonly first: number;
  /** Key of the object with which the page begins, if it is not the first page. */
  readonly after?: string | null | undefined;
  /** Condition on objects to search; a cursor to any other object is rejected. */
  readonly search?: QueryFilter<T>;
  /** Further condition on objects to list; a cursor to an object that no longer fulfils it still continues from its place. */
  readonly listed?: QueryFilter<T>;
  /** Hidden fields that are read too. */
  readonly hidden?: readonly (Hidden & string)[];
  readonly isNewestFirst?: boolean;
  /** The unique field that names an object in cursors; `key` unless given. */
  readonly keyField?: keyof T & string;
}

/**
 * A page of objects in the order of their creation, which stays as it is while objects come and go; of their fields, those
 * that are shown.
 * @throws ServiceError BAD_REQUEST for an invalid size or cursor. Decisions: "Keys, pages, values".
 */
export async function creationPage<T, Shown, Hidden extends keyof T = never>(
  model: ModelOf<T, Shown>,
  query: CreationPageQuery<NoInfer<T>, Hidden>,
): Promise<Page<Shown & Pick<T, Hidden>>> {
  const { accessScope, first, after, search = {}, listed = {}, hidden = [], isNewestFirst = false } = query;
  const keyField = query.keyField ?? 'key';
  const size = checkPageSize(first);
  const start = readCursor(after);
  let from = {};
  if (start.cursor !== null) {
    const found = await model
      .findOne({ ...search, [keyField]: start.cursor }, { _id: 1 }, { accessScope })
      .lean<{ readonly _id: unknown } | null>();
    if (!found) throw unknownCursor();
    from = { _id: { [isNewestFirst ? '$lte' : '$gte']: found._id } };
  }
  const objects = (await readShown(
    model,
    { accessScope, filter: { ...search, ...listed, ...from }, hidden },
    { sort: { _id: isNewestFirst ? -1 : 1 }, limit: readSize(size, start) },
  )) as (Shown & Pick<T, Hidden>)[];
  const cursorOf = (object: Shown & Pick<T, Hidden>) => String(object[keyField as keyof typeof object]);
  return pageOf(objects, size, { start, cursorOf });
}
