import { SecurityEventStore, type StoredSecurityEvent } from '../../models/account/security-event.ts';
import type { Page } from '../../schema/page.ts';
import type { SecurityEvent } from '../../schema/account/security-event.ts';

import { creationPage, type CreationPageQuery } from '../pages/creation-page.ts';

/** The events to list. */
export type SecurityEventQuery = Pick<CreationPageQuery<StoredSecurityEvent>, 'accessScope' | 'first' | 'after'> & {
  /** The user whom they concern; all unless given. */
  readonly user_key?: string | null | undefined;
};

/**
 * A page of security events, the newest first.
 *
 * @throws ServiceError BAD_REQUEST for a size or a cursor that is not one
 */
export function listSecurityEvents({ user_key, ...page }: SecurityEventQuery): Promise<Page<SecurityEvent>> {
  return creationPage(SecurityEventStore, { ...page, search: user_key ? { user_key } : {}, isNewestFirst: true });
}
