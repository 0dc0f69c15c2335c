import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { App, AppCredentials, AppInput, AppUpdateInput } from '../../schema/account/app.ts';
import { connectionOf, type Page } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';

import { PageArgs } from '../pages/page-args.ts';
import { deleteApp, findApp, pageOfApps, rotateAppSecret, updateApp } from './manage-app.ts';
import { registerOwnApp } from './register-app.ts';

const AppConnection = connectionOf(App, 'App');

/** The third-party apps that an account has registered. */
@Resolver()
export class AppResolver {
  @Access('owner')
  @Query(() => AppConnection, { description: 'The apps that the account has registered, in order of creation.' })
  apps(@Args(() => PageArgs) page: PageArgs, @Ctx() { service, caller }: RequestContext): Promise<Page<App>> {
    return pageOfApps(accessScopeOf({ service, caller }), page);
  }

  @Access('owner')
  @Query(() => App, { nullable: true, description: 'One app that the account has registered.' })
  async app(
    @Arg('client_id', () => String, { description: "The app's client id." }) client_id: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<App> {
    const app = await findApp(accessScopeOf({ service, caller }), client_id);
    if (!app) throw notFound('app');
    return app;
  }

  @Access('owner')
  @Mutation(() => AppCredentials, { description: 'Registers an app with the read-only scopes.' })
  registerApp(
    @Arg('input', () => AppInput, { description: 'Fields of the new record.' }) input: AppInput,
    @Ctx() context: RequestContext,
  ): Promise<AppCredentials> {
    const account = accessScopeOf(context).account_key;
    const { name, redirect_uris: redirectUris, is_public: isPublic, requires_pkce: requiresPkce } = input;
    return registerOwnApp(context.service, {
      account,
      name,
      redirectUris,
      isPublic,
      requiresPkce,
      actor: ownerIn(context),
    });
  }

  @Access('owner')
  @Mutation(() => AppCredentials, {
    description: 'Replaces the secret of an app. The old one stops working immediately.',
  })
  async rotateAppSecret(
    @Arg('client_id', () => String, { description: "The app's client id." }) client_id: string,
    @Ctx() context: RequestContext,
  ): Promise<AppCredentials> {
    const manager = { accessScope: accessScopeOf(context), actor: ownerIn(context) };
    const client_secret = await rotateAppSecret(client_id, manager);
    if (client_secret === null) throw notFound('app');
    return { client_id, client_secret };
  }

  @Access('owner')
  @Mutation(() => App, { description: 'Updates an app. Omitted fields, its grants and its secret stay unchanged.' })
  async updateApp(
    @Arg('client_id', () => String, { description: "The app's client id." }) client_id: string,
    @Arg('input', () => AppUpdateInput, { description: 'Fields of the new record.' }) input: AppUpdateInput,
    @Ctx() context: RequestContext,
  ): Promise<App> {
    const manager = { accessScope: accessScopeOf(context), actor: ownerIn(context) };
    const app = await updateApp(client_id, input, manager);
    if (!app) throw notFound('app');
    return app;
  }

  @Access('owner')
  @Mutation(() => String, { description: 'Deletes an app with all its grants. Returns its client id.' })
  async deleteApp(
    @Arg('client_id', () => String, { description: "The app's client id." }) client_id: string,
    @Ctx() context: RequestContext,
  ): Promise<string> {
    const manager = { accessScope: accessScopeOf(context), actor: ownerIn(context) };
    if (!(await deleteApp(client_id, manager))) throw notFound('app');
    return client_id;
  }
}
