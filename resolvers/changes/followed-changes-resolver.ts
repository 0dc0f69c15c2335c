import { Arg, Int, Resolver, Root, Subscription } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { type Change, ChangeConnection } from '../../schema/changes/change.ts';
import type { Page } from '../../schema/page.ts';

import { tripFieldsOf } from '../trips/trip-fields.ts';
import { type FollowedLog, followChanges } from './follow-changes.ts';

/** The log of an account as it grows. */
@Resolver()
export class FollowedChangesResolver {
  @Access('account.read', 'account_activity.read', 'places.read', 'user.read', 'vehicles.read', 'driver')
  @Subscription(() => ChangeConnection, {
    subscribe: ({ args, context, info }) => {
      const tripFields = tripFieldsOf(info, ['nodes', 'trip'], ['edges', 'node', 'trip']);
      const { service } = context as RequestContext;
      return followChanges(
        service,
        info.schema,
        { context: context as RequestContext, tripFields },
        args as FollowedLog,
      );
    },
    description:
      'Pages of `changes` as they occur. Without a cursor the first page is empty and its `end_cursor` stands ' +
      'for the current time. A subscription that starts with the last `end_cursor` misses nothing.',
  })
  changes(
    @Arg('after', () => String, { nullable: true, description: 'The `end_cursor` of the page before.' })
    _after: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 100, description: 'Size of a page, 1 to 1000.' })
    _first: number | null,
    @Root() page: Page<Change>,
  ): Page<Change> {
    return page;
  }
}
