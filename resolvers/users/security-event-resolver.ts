import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { After, connectionOf, type Page } from '../../schema/page.ts';
import { SecurityEvent } from '../../schema/account/security-event.ts';
import { SecurityEventStore, type StoredSecurityEvent } from '../../models/account/security-event.ts';
import { creationPage, type CreationPageQuery } from '../../models/lists/creation-page.ts';

const SecurityEventConnection = connectionOf(SecurityEvent, 'SecurityEvent');

/** The security log of an account, for its owner. */
@Resolver()
export class SecurityEventResolver {
  @Access('owner')
  @Query(() => SecurityEventConnection, {
    description: 'Security log of the account: sign-ins, passwords, keys and apps. Newest first.',
  })
  securityEvents(
    @Arg('first', () => Int, { defaultValue: 50, description: 'Number of events, 1 to 1000.' }) first: number,
    @After() after: string | null | undefined,
    @Arg('user_key', () => String, { nullable: true, description: 'Only events about this user.' })
    user_key: string | null | undefined,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<SecurityEvent>> {
    return listSecurityEvents({ accessScope: accessScopeOf({ service, caller }), first, after, user_key });
  }
}

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
