import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { findGrant, revokeGrant } from '../../auth/grants.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { UserModel } from '../../models/account/user.ts';
import { AppGrant } from '../../schema/account/app-grant.ts';
import { connectionOf, type Page, unknownCursor } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';

import { checkPageSize } from '../pages/creation-page.ts';
import { ListCursors } from '../pages/list-cursors.ts';
import { PageArgs } from '../pages/page-args.ts';
import { type ListedGrant, listGrants } from './list-grants.ts';

const AppGrantConnection = connectionOf(AppGrant, 'AppGrant');

/** Access that the users of an account have granted to apps. */
@Resolver()
export class AppGrantResolver {
  @Access('owner')
  @Query(() => AppGrantConnection, { description: "What the account's users have allowed apps, the newest first." })
  async appGrants(
    @Args(() => PageArgs) { first, after }: PageArgs,
    @Ctx() { caller }: RequestContext,
  ): Promise<Page<AppGrant>> {
    const size = checkPageSize(first);
    const accessScope = accessScopeOf(caller);
    const grants = await listGrants(await UserModel.distinct('key', {}).setOptions({ accessScope }));
    const cursors = await ListCursors.of<string>(['AppGrant', accessScope], {
      write: String,
      read: String,
      find: (key) => {
        const grant = grants.find((one) => one.key === key);
        if (!grant) throw unknownCursor();
        return grant.place;
      },
    });
    const start = await cursors.start(after);
    const isListed = ({ place }: ListedGrant) =>
      !start || place < start.place || (!start.isAfter && place === start.place);
    return cursors.page({ found: grants.filter(isListed), size, start, placeOf: ({ place }) => place });
  }

  @Access('owner')
  @Query(() => AppGrant, { nullable: true, description: 'What one of the users has allowed an app.' })
  async appGrant(
    @Arg('key', () => String, { description: 'Key of the grant.' }) key: string,
    @Ctx() { caller }: RequestContext,
  ): Promise<AppGrant> {
    const grant = await findGrant(key);
    const user =
      grant && (await UserModel.findOne({ key: grant.user_key }, 'key', { accessScope: accessScopeOf(caller) }));
    const [found] = user ? await listGrants([user.key], key) : [];
    if (!found) throw notFound('grant');
    return found;
  }

  @Access('owner')
  @Mutation(() => String, { description: 'Revokes what a user has allowed an app, at once; answers its key.' })
  async revokeAppGrant(
    @Arg('key', () => String, { description: 'Which grant.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<string> {
    const accessScope = accessScopeOf(context.caller);
    const grant = await findGrant(key);
    if (!grant || (await UserModel.countDocuments({ key: grant.user_key }, { accessScope })) === 0)
      throw notFound('grant');
    await revokeGrant(key, ownerIn(context));
    return key;
  }
}
