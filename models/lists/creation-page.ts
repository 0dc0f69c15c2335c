import { documentId, type DocumentId, type FilterOf } from '../store/plain-store.ts';

import type { AccessScope, Unrestricted } from '../store/tenancy.ts';
import { type Page, unknownCursor } from '../../schema/page.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { formerPlace, type FormerKind } from './former-place.ts';
import { ListCursors } from './list-cursors.ts';
import type { Store } from '../store/store.ts';

/** The largest page that GraphQL serves. */
const MAX_PAGE_SIZE = 1000;

/**
 * Checks the `first` of a connection, or its `last`, which is passed as a negative number.
 *
 * @throws ServiceError BAD_REQUEST if it is not 1 to {@link MAX_PAGE_SIZE}
 */
export function checkPageSize(first: number): number {
  const size = Math.abs(first);
  if (size < 1 || size > MAX_PAGE_SIZE) {
    throw new ServiceError('BAD_REQUEST', `${first < 0 ? 'last' : 'first'} must be 1 to ${MAX_PAGE_SIZE}`);
  }
  return size;
}

/** Page of objects to read. */
export interface CreationPageQuery<T, Hidden extends keyof T = never> {
  readonly accessScope: AccessScope | Unrestricted;
  /** Number of objects; negative for those before the cursor, in the same order. */
  readonly first: number;
  /** Cursor of the page; without one, it is the first. */
  readonly after?: string | null | undefined;
  /** Condition on objects to search; cursors of other searches, and keys of other objects, are rejected. */
  readonly search?: FilterOf<T>;
  /** The search as requested, if `search` depends on records that may change; its cursors stay valid. */
  readonly requested?: unknown;
  /** Further condition on objects to list; the key of an object that no longer fulfils it still works as a cursor. */
  readonly listed?: FilterOf<T>;
  /** Hidden fields that are read too. */
  readonly hidden?: readonly (Hidden & string)[];
  readonly isNewestFirst?: boolean;
  /** The unique field that names an object in cursors; `key` by default. */
  readonly keyField?: keyof T & string;
  /** Kind of the records, if the key of one that the caller no longer sees still works as a cursor. */
  readonly kind?: FormerKind;
  /** Set if the cursor of REST is the key of the first object of the next page. Decisions: "Keys, pages, values". */
  readonly isContinuedByKey?: true;
}

/** A document with the identifier by which a list is ordered; no answer shows it. */
interface Created {
  readonly _id: DocumentId;
}

/**
 * A page of objects in the order of their creation, which is stable while objects are added and removed; with their shown
 * fields.
 * @throws ServiceError BAD_REQUEST for an invalid size or cursor. Decisions: "Keys, pages, values".
 */
export async function creationPage<T, Shown, Hidden extends keyof T = never>(
  model: Store<T, Shown>,
  query: CreationPageQuery<NoInfer<T>, Hidden>,
): Promise<Page<Shown & Pick<T, Hidden>>> {
  const { accessScope, first, after, search = {}, listed = {}, hidden = [], isNewestFirst = false } = query;
  const keyField = query.keyField ?? 'key';
  const size = checkPageSize(first);
  // The vehicles that a caller sees come and go.
  const seenBy = 'vehicle_keys' in accessScope ? { ...accessScope, vehicle_keys: null } : accessScope;
  const cursors = await ListCursors.of(accessScope.service, [model.name, seenBy, query.requested ?? search], {
    write: String,
    read: (id) => documentId(id),
    find: async (key) => {
      const filter = { ...search, [keyField]: key } as FilterOf<T>;
      const found = (await model.findOne(accessScope, filter, { _id: 1 })) as unknown as Created | null;
      const place =
        found?._id ?? (query.kind && (await formerPlace(model, accessScope, { kind: query.kind, key, filter })));
      if (!place) throw unknownCursor();
      return place;
    },
  });
  const start = await cursors.start(after);
  const isBackward = first < 0;
  const isDescending = isNewestFirst !== isBackward;
  const order = isDescending ? '$lt' : '$gt';
  const from = start && { _id: { [start.isAfter || isBackward ? order : `${order}e`]: start.place } };
  const found = (await model.readShown(
    { accessScope, filter: { ...search, ...listed, ...from }, hidden: [...hidden, '_id' as Hidden & string] },
    { sort: { _id: isDescending ? -1 : 1 }, limit: size + 1 },
  )) as (Shown & Pick<T, Hidden> & Created)[];
  const keyOf = (object: object) => String(object[keyField as keyof typeof object]);
  const nextCursorOf = query.isContinuedByKey && keyOf;
  const page = cursors.page({ found, size, start, placeOf: ({ _id }) => _id, nextCursorOf, isBackward });
  return { ...page, count: () => model.countDocuments(accessScope, { ...search, ...listed }) };
}
