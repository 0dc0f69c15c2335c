import type { Visitor, WebsiteUser } from '../../auth/caller.ts';
import { readBasic } from '../../auth/basic-credentials.ts';
import { headerValues } from '../../auth/identify.ts';

import { findWebsiteUser } from './application-passwords.ts';
import type { Service } from '../../models/store/service.ts';

const VISITOR: Visitor = { kind: 'visitor' };

/**
 * Identifies the caller of a request to the content interface: a website user by HTTP Basic with an application
 * password, or a visitor. As in WordPress, invalid credentials are no error: they are ignored.
 *
 * @param rawHeaders as Node.js gives them, so that a repeated header can be seen; it proves nothing
 */
export async function identifyWebsiteUser(
  service: Service,
  rawHeaders: readonly string[],
): Promise<Visitor | WebsiteUser> {
  const [authorization, ...others] = headerValues(rawHeaders, 'authorization');
  if (authorization === undefined || others.length > 0) return VISITOR;
  const credentials = readBasic(authorization);
  return (credentials && (await findWebsiteUser(service, credentials.login, credentials.password))) ?? VISITOR;
}
