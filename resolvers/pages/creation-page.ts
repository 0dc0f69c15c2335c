import type { Model, QueryFilter } from 'mongoose';

import type { AccessScope } from '../../models/tenancy.ts';
import { type Page, pageOf } from '../../schema/page.ts';

import { badCursor, checkPageSize } from './page-size.ts';

/** Page of objects to read. */
export interface CreationPageQuery<T> {
  readonly accessScope: AccessScope;
  readonly first: number;
  /** Key of the object with which the page begins, if it is not the first page. */
  readonly after: string | null | undefined;
  /** Condition on objects to search; a cursor to any other object is rejected. */
  readonly search?: QueryFilter<T>;
  /** Further condition on objects to list; a cursor to an object that no longer fulfils it still continues from its place. */
  readonly listed?: QueryFilter<T>;
}

/**
 * A page of objects in the order of their creation, which stays as it is while objects come and go.
 *
 * @throws ServiceError BAD_REQUEST for a size or a cursor that is not one. Decisions: "Keys, pages, values".
 */
export async function creationPage<T extends { readonly key: string }>(
  model: Model<T>,
  { accessScope, first, after, search = {}, listed = {} }: CreationPageQuery<T>,
): Promise<Page<T>> {
  const size = checkPageSize(first);
  let start = {};
  if (after != null) {
    const found: { _id?: unknown } | null = await model
      .findOne({ ...search, key: after }, null, { accessScope })
      .lean();
    if (!found) throw badCursor();
    start = { _id: { $gte: found._id } };
  }
  const objects = await model
    .find({ ...search, ...listed, ...start }, null, { accessScope })
    .sort({ _id: 1 })
    .limit(size + 1)
    .lean();
  return pageOf(objects as T[], size, (object) => object.key);
}
