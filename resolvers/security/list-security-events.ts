import type { QueryFilter } from 'mongoose';

import { type StoredSecurityEvent, SecurityEventModel } from '../../models/account/security-event.ts';
import type { UNRESTRICTED, AccessScope } from '../../models/tenancy.ts';
import { type Page, pageOf } from '../../schema/page.ts';
import type { SecurityEvent } from '../../schema/account/security-event.ts';

import { badCursor, checkPageSize } from '../pages/page-size.ts';

/** The events to list. */
export interface SecurityEventQuery {
  readonly accessScope: AccessScope | typeof UNRESTRICTED;
  readonly first: number;
  /** Key of the event with which the page begins, if it is not the first page. */
  readonly after?: string | null | undefined;
  /** The user whom they concern; all unless given. */
  readonly user_key?: string | null | undefined;
}

/**
 * A page of security events, the newest first.
 *
 * @throws ServiceError BAD_REQUEST for a size or a cursor that is not one
 */
export async function listSecurityEvents(query: SecurityEventQuery): Promise<Page<SecurityEvent>> {
  const { accessScope, after, user_key } = query;
  const size = checkPageSize(query.first);
  const filter: QueryFilter<StoredSecurityEvent> = user_key ? { user_key } : {};
  let start = {};
  if (after != null) {
    const found = await SecurityEventModel.findOne({ ...filter, key: after }, null, { accessScope }).lean();
    if (!found) throw badCursor();
    start = { _id: { $lte: found._id } };
  }
  const events = await SecurityEventModel.find({ ...filter, ...start }, null, { accessScope })
    .sort({ _id: -1 })
    .limit(size + 1)
    .lean();
  return pageOf(events, size, ({ key }) => key);
}
