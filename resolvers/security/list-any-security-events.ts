import { UNRESTRICTED } from '../../models/tenancy.ts';
import type { Page } from '../../schema/page.ts';
import type { SecurityEvent } from '../../schema/account/security-event.ts';
import { existingAccountScope } from '../input/existing-account.ts';

import { listSecurityEvents, type SecurityEventQuery } from './list-security-events.ts';

/**
 * A page of the security events of one account, or of all and of none, the newest first.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `account`, the size or the cursor
 */
export async function listAnySecurityEvents(
  account: string | null,
  query: Omit<SecurityEventQuery, 'accessScope'>,
): Promise<Page<SecurityEvent>> {
  const accessScope = account === null ? UNRESTRICTED : await existingAccountScope(account);
  return listSecurityEvents({ ...query, accessScope });
}
