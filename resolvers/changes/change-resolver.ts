import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Int, Query, Resolver, Root, Subscription } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { type Change, ChangeConnection, MAX_WAIT_SECONDS } from '../../schema/changes/change.ts';
import type { Page } from '../../schema/page.ts';
import { tripFieldsOf } from '../trips/trip-fields.ts';
import { changePage } from './change-page.ts';
import { type FollowedLog, followChanges } from './follow-changes.ts';

/** The log of an account, with the records of its entries as they are now. */
@Resolver()
export class ChangeResolver {
  @Access('account.read', 'account_activity.read', 'places.read', 'user.read', 'vehicles.read', 'driver')
  @Query(() => ChangeConnection, {
    description:
      'Changes of the records that the caller can see, in order, after a cursor. Without a cursor the page is ' +
      'empty and its `end_cursor` stands for the current time: read the records, then continue from that ' +
      'cursor.',
  })
  changes(
    @Arg('after', () => String, { nullable: true, description: 'The `end_cursor` of the previous page.' })
    after: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 100, description: 'Size of the page, 1 to 1000.' })
    first: number | null,
    @Arg('wait', () => Int, {
      nullable: true,
      defaultValue: 0,
      description: `Seconds to wait if nothing has changed yet, 0 to ${MAX_WAIT_SECONDS}.`,
    })
    wait: number | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<Change>> {
    const tripFields = tripFieldsOf(info, ['nodes', 'trip'], ['edges', 'node', 'trip']);
    return changePage(
      context.service,
      info.schema,
      { context, tripFields },
      { after, first: first ?? 100, wait: wait ?? 0 },
    );
  }
}

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
    @Arg('after', () => String, { nullable: true, description: 'The `end_cursor` of the previous page.' })
    _after: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 100, description: 'Size of a page, 1 to 1000.' })
    _first: number | null,
    @Root() page: Page<Change>,
  ): Page<Change> {
    return page;
  }
}
