import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { findGrant, revokeGrant } from '../../auth/grants.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { UserStore } from '../../models/account/user.ts';
import { AppGrant } from '../../schema/account/app-grant.ts';
import { Deletion } from '../../schema/deletion.ts';
import { connectionOf, type Page, PageArgs, unknownCursor } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';
import { checkPageSize } from '../../models/lists/creation-page.ts';
import { ListCursors } from '../../models/lists/list-cursors.ts';
import { AppStore } from '../../models/account/app.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import type { Service } from '../../models/store/service.ts';

const AppGrantConnection = connectionOf(AppGrant, 'AppGrant');

/** Access that the users of an account have granted to apps. */
@Resolver()
export class AppGrantResolver {
  @Access('owner')
  @Query(() => AppGrantConnection, {
    description: 'Access that users of the account have granted to apps, newest first.',
  })
  async appGrants(
    @Args(() => PageArgs) { first, after }: PageArgs,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<AppGrant>> {
    const size = checkPageSize(first);
    const accessScope = accessScopeOf({ service, caller });
    const grants = await listGrants(service, await UserStore.distinct(accessScope, 'key', {}));
    const cursors = await ListCursors.of<string>(service, ['AppGrant', accessScope], {
      write: String,
      read: String,
      find: (key) => {
        const grant = grants.find((one) => one.key === key);
        if (!grant) throw unknownCursor();
        return grant.place;
      },
    });
    const start = await cursors.start(after);
    const isBackward = first < 0;
    const isListed = ({ place }: ListedGrant) =>
      !start || (isBackward ? place > start.place : place < start.place || (!start.isAfter && place === start.place));
    const found = grants.filter(isListed);
    const page = { found: isBackward ? found.toReversed() : found, size, start, isBackward };
    return { ...cursors.page({ ...page, placeOf: ({ place }) => place }), count: async () => grants.length };
  }

  @Access('owner')
  @Query(() => AppGrant, { nullable: true, description: 'Access that a user has granted to an app.' })
  async appGrant(
    @Arg('key', () => String, { description: 'Key of the grant.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<AppGrant> {
    const grant = await findGrant(service, key);
    const user = grant && (await UserStore.findOne(accessScopeOf({ service, caller }), { key: grant.user_key }, 'key'));
    const [found] = user ? await listGrants(service, [user.key], key) : [];
    if (!found) throw notFound('grant');
    return found;
  }

  @Access('owner')
  @Mutation(() => Deletion, { description: 'Revokes the access that a user has granted to an app, immediately.' })
  async deleteAppGrant(
    @Arg('key', () => String, { description: 'Key of the grant.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    const accessScope = accessScopeOf(context);
    const grant = await findGrant(accessScope.service, key);
    if (!grant || (await UserStore.countDocuments(accessScope, { key: grant.user_key })) === 0) throw notFound('grant');
    await revokeGrant(accessScope.service, key, ownerIn(context));
    return { key, deleted: true };
  }
}

/** A grant with its place in the list, a text that decreases. */
interface ListedGrant extends AppGrant {
  readonly place: string;
}

/**
 * Lists the access that users have granted to apps of any account, the newest first.
 *
 * @param key of the only grant to list; all unless given
 */
export async function listGrants(service: Service, userKeys: readonly string[], key?: string): Promise<ListedGrant[]> {
  const which = { kind: 'Grant', user_key: { $in: userKeys }, ...(key !== undefined && { id_hash: key }) } as const;
  const grants = await OauthRecordStore.find(service, which).sort({ _id: -1 });
  const client_id = { $in: [...new Set(grants.map((grant) => grant.client_id))] };
  const apps = await AppStore.find(unrestricted(service), { client_id }, 'client_id name');
  const names = new Map(apps.map((app) => [app.client_id, app.name]));
  return grants.flatMap(({ _id, id_hash: key, user_key, client_id, scopes, created }) => {
    const app_name = client_id === null ? undefined : names.get(client_id);
    if (user_key === null || client_id === null || app_name === undefined) return [];
    return [{ place: String(_id), key, user_key, client_id, app_name, scopes: [...scopes], created }];
  });
}
