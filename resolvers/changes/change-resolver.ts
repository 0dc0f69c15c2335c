import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Int, Query, Resolver, Root, Subscription } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext, StreamProgress } from '../../auth/caller.ts';
import { readPermissionStamp } from '../../models/store/permission-stamp.ts';
import { FollowedChanges } from '../../notifying/changes/followed-changes.ts';
import { ChangeConnection, ChangeKind, MAX_WAIT_SECONDS } from '../../schema/changes/change.ts';
import { GraphqlOnly } from '../../schema/field-decorators.ts';
import { After, First, namingCursor } from '../../schema/page.ts';
import { tripFieldsOf } from '../trips/selected-fields.ts';
import { type ChangePage, changePage } from './change-page.ts';
import type { RecordReading } from './changed-records.ts';

/** A place in the log from which it is followed, and the size of its pages. */
interface FollowedLog {
  readonly after?: string | null;
  readonly first?: number | null;
}

/** The log of an account, with the records of its entries as they are now. */
@Resolver(() => ChangeConnection)
export class ChangeResolver {
  @Access('account.read', 'account_activity.read', 'places.read', 'user.read', 'vehicles.read', 'driver')
  @Query(() => ChangeConnection, {
    description:
      'Changes of the records that the caller can see, in order, after a cursor. Without a cursor the page is ' +
      'empty and its `end_cursor` stands for the current time: read the records, then continue from that ' +
      'cursor.',
  })
  changes(
    @After() after: string | null | undefined,
    @First(100) first: number | null,
    @Arg('wait', () => Int, {
      nullable: true,
      defaultValue: 0,
      description: `Seconds to wait if nothing has changed yet, 0 to ${MAX_WAIT_SECONDS}.`,
    })
    wait: number | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ChangePage> {
    const query = { after, first: first ?? 100, wait: wait ?? 0 };
    return changePage(info.schema, readingOf(context, info), query);
  }

  @GraphqlOnly()
  @FieldResolver(() => [ChangeKind], { description: 'Kinds of records whose changes the caller receives.' })
  kinds(@Root() { kinds }: ChangePage): readonly ChangeKind[] {
    return kinds;
  }

  @GraphqlOnly()
  @FieldResolver(() => Boolean, {
    description:
      'False if the caller is restricted to groups. A vehicle may then have left them and come back: read its trips, ' +
      'visits and events again with each of its changes.',
  })
  whole_account(@Root() { whole_account }: ChangePage): boolean {
    return whole_account;
  }
}

/** The log of an account as it grows. */
@Resolver()
export class FollowedChangesResolver {
  @Access('account.read', 'account_activity.read', 'places.read', 'user.read', 'vehicles.read', 'driver')
  @Subscription(() => ChangeConnection, {
    subscribe: ({ args, context, info }) =>
      followChanges(info.schema, readingOf(context as RequestContext, info), args as FollowedLog),
    description:
      'Pages of `changes` as they occur. Without a cursor the first page is empty and its `end_cursor` stands ' +
      'for the current time. A subscription that starts with the last `end_cursor` misses nothing.',
  })
  changes(
    @After() _after: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 100, description: 'Size of a page, 1 to 1000.' })
    _first: number | null,
    @Root() page: ChangePage,
  ): ChangePage {
    return page;
  }
}

function readingOf(context: RequestContext, info: GraphQLResolveInfo): RecordReading {
  return { context, tripFields: tripFieldsOf(info, ['nodes', 'trip'], ['edges', 'node', 'trip']) };
}

/**
 * Follows the log of the caller's account: what has changed since a cursor, and each later change. A client that connects again
 * with the `Last-Event-ID` of the page that it has goes on after that one, whatever its variables say.
 *
 * @throws ServiceError as {@link changePage} does
 */
async function followChanges(
  schema: GraphQLSchema,
  reading: RecordReading,
  { after, first }: FollowedLog,
): Promise<FollowedChanges> {
  const { service, caller, progress = new StreamProgress() } = reading.context;
  const stamp = await readPermissionStamp(service);
  const read = async () => {
    const { cursor, lastEventId } = progress;
    const query = { after: cursor ?? lastEventId ?? after, first: first ?? 100, wait: 0 };
    const page = await changePage(schema, reading, query).catch((error: unknown) => {
      throw cursor === null && lastEventId !== null ? namingCursor(error, 'Last-Event-ID') : error;
    });
    // Once permissions are others, the stream begins again.
    if ((await readPermissionStamp(service)) !== stamp) return null;
    progress.cursor = page.page_info.end_cursor;
    return page;
  };
  return new FollowedChanges(accessScopeOf({ service, caller }), progress.cursor === null ? await read() : null, read);
}
