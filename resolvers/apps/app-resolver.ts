import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { ownerIn, type Actor, OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { App, AppCredentials, AppInput, AppUpdateInput } from '../../schema/account/app.ts';
import { Deletion } from '../../schema/deletion.ts';
import { connectionOf, type Page, PageArgs } from '../../schema/page.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { registerOwnApp, checkAppName, checkRedirectUris, checkScopes } from './register-app.ts';
import type { Scope } from '../../auth/scopes/scope.ts';
import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { AppStore, requiresPkce, type StoredApp } from '../../models/account/app.ts';
import { AppRequestsStore } from '../../models/usage/app-requests.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { type AccessScope, unrestricted, type Unrestricted } from '../../models/store/tenancy.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { rejectNull, unknownKey } from '../../models/lookup/unknown-key.ts';
import type { Service } from '../../models/store/service.ts';

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

  @Access('owner', 'recent-sign-in')
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

  @Access('owner', 'recent-sign-in')
  @Mutation(() => AppCredentials, {
    description: 'Replaces the secret of an app. The old one stops working immediately.',
  })
  async rotateAppSecret(
    @Arg('client_id', () => String, { description: "The app's client id." }) client_id: string,
    @Ctx() context: RequestContext,
  ): Promise<AppCredentials> {
    const manager = { accessScope: accessScopeOf(context), actor: ownerIn(context) };
    const secret = await rotateAppSecret(client_id, manager);
    if (secret === null) throw notFound('app');
    return { client_id, secret };
  }

  @Access('owner', 'recent-sign-in')
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

  @Access('owner', 'recent-sign-in')
  @Mutation(() => Deletion, { description: 'Deletes an app with all its grants. The `key` is its client id.' })
  async deregisterApp(
    @Arg('client_id', () => String, { description: "The app's client id." }) client_id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    const manager = { accessScope: accessScopeOf(context), actor: ownerIn(context) };
    if (!(await deleteApp(client_id, manager))) throw notFound('app');
    return { key: client_id, deleted: true };
  }
}

/** The apps that somebody may manage: all in an access scope, or of them only those that one user has registered. */
export interface AppManager {
  readonly accessScope: AccessScope | Unrestricted;
  readonly registeredBy?: string;
  /** The one who manages them, for the security log; the operator unless given. */
  readonly actor?: Actor;
}

/** Lists the apps that a manager may manage, in order of creation. */
export async function listApps(manager: AppManager): Promise<App[]> {
  const { accessScope } = manager;
  const apps = await AppStore.find(accessScope, managedBy(manager)).sort({ _id: 1 });
  return apps.map(shownApp);
}

/**
 * A page of the apps that an account has registered, in order of creation.
 *
 * @throws ServiceError BAD_REQUEST for an invalid size or cursor
 */
export async function pageOfApps(accessScope: AccessScope, { first, after }: PageArgs): Promise<Page<App>> {
  const hidden = ['secret_hash', 'pkce'] as const;
  const page = await creationPage(AppStore, { accessScope, first, after, hidden, keyField: 'client_id' });
  return { ...page, nodes: page.nodes.map(shownApp) };
}

/** The app with a client id that an account has registered; null if there is none. */
export async function findApp(accessScope: AccessScope, clientId: string): Promise<App | null> {
  const app = await AppStore.findOne(accessScope, { client_id: clientId });
  return app && shownApp(app);
}

function shownApp(app: Omit<App, 'is_public' | 'requires_pkce'> & Pick<StoredApp, 'secret_hash' | 'pkce'>): App {
  const { client_id, name, redirect_uris, scopes, created, reviewed = null, secret_hash } = app;
  const facts = { client_id, name, redirect_uris, scopes, created, reviewed };
  return { ...facts, is_public: secret_hash === null, requires_pkce: requiresPkce(app) };
}

/**
 * Replaces the secret of an app, which is shown this once; null if there is no such app. Grants stay.
 *
 * @throws ServiceError BAD_REQUEST for a public app, which has none
 */
export async function rotateAppSecret(clientId: string, manager: AppManager): Promise<string | null> {
  const { accessScope, actor = OPERATOR } = manager;
  const filter = { client_id: clientId, ...managedBy(manager) };
  const secret = newSecret('wb_secret_');
  const confidential = { ...filter, secret_hash: { $ne: null } };
  const change = { secret_hash: hashSecret(secret) };
  const app = await AppStore.findOneAndUpdate(accessScope, confidential, change);
  if (app) {
    const { account_key } = app;
    await recordSecurityEvent(accessScope.service, {
      kind: 'app_secret_rotated',
      actor,
      account_key,
      subject: clientId,
    });
    return secret;
  }
  if ((await AppStore.countDocuments(accessScope, filter)) === 0) return null;
  throw new ServiceError('BAD_REQUEST', 'client_id names a public app, which has no secret');
}

/**
 * Changes the given fields of an app; null if there is no such app. Grants and its secret stay. Another name or a further
 * redirect address ends the review, unless the operator makes the change: people are warned of it again.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export async function updateApp(clientId: string, input: AppUpdateInput, manager: AppManager): Promise<App | null> {
  const { accessScope, actor = OPERATOR } = manager;
  const filter = { client_id: clientId, ...managedBy(manager) };
  const found = await AppStore.findOne(accessScope, filter);
  if (!found) return null;
  const facts = checkFacts(input, found.secret_hash === null);
  const { name = found.name, redirect_uris = found.redirect_uris } = facts;
  const isFurther = redirect_uris.some((uri) => !found.redirect_uris.includes(uri));
  const isOther = name !== found.name || redirect_uris.join(' ') !== found.redirect_uris.join(' ');
  const endsReview = actor.by !== 'operator' && (name !== found.name || isFurther);
  const pkce = input.requires_pkce ?? requiresPkce(found);
  const isSwitched = pkce !== requiresPkce(found);
  const change = { ...facts, ...(isSwitched && { pkce }), ...(endsReview && { reviewed: null }) };
  const app = await AppStore.findOneAndUpdate(accessScope, filter, { $set: change }, { returnDocument: 'after' });
  if (!app) return null;
  const event = { actor, account_key: app.account_key, subject: clientId };
  if (isOther) await recordSecurityEvent(accessScope.service, { kind: 'app_changed', ...event });
  if (isSwitched)
    await recordSecurityEvent(accessScope.service, {
      kind: pkce ? 'app_pkce_required' : 'app_pkce_optional',
      ...event,
    });
  return shownApp(app);
}

/** @throws ServiceError BAD_REQUEST naming the parameter */
function checkFacts(input: AppUpdateInput, isPublic: boolean) {
  rejectNull(input, ['name', 'redirect_uris', 'requires_pkce']);
  const { name, redirect_uris, requires_pkce } = input;
  if (requires_pkce === false && isPublic)
    throw new ServiceError('BAD_REQUEST', 'requires_pkce must be true for a public app');
  return {
    ...(name != null && { name: checkAppName(name) }),
    ...(redirect_uris != null && { redirect_uris: checkRedirectUris(redirect_uris, isPublic) }),
  };
}

/** Deletes an app with its grants and tokens: the next request with one is rejected. Returns false if there is none. */
export async function deleteApp(clientId: string, manager: AppManager): Promise<boolean> {
  const { accessScope, actor = OPERATOR } = manager;
  const app = await AppStore.findOneAndDelete(accessScope, { client_id: clientId, ...managedBy(manager) });
  if (!app) return false;
  await OauthRecordStore.deleteMany(accessScope.service, { client_id: clientId });
  await AppRequestsStore.deleteOne(accessScope.service, { client_id: clientId });
  await recordSecurityEvent(accessScope.service, {
    kind: 'app_deleted',
    actor,
    account_key: app.account_key,
    subject: clientId,
  });
  return true;
}

/**
 * Records that the operator has reviewed an app, which may ask for further scopes from now on; returns all of its
 * scopes. Grants stay as they are.
 *
 * @throws ServiceError BAD_REQUEST naming the app or scope that is unknown
 */
export async function approveApp(
  service: Service,
  clientId: string,
  scopes: readonly string[],
): Promise<readonly string[]> {
  const further: Scope[] = checkScopes(scopes);
  const app = await AppStore.findOneAndUpdate(
    unrestricted(service),
    { client_id: clientId },
    { $addToSet: { scopes: { $each: further } }, $set: { reviewed: new Date() } },
    { returnDocument: 'after' },
  );
  if (!app) throw unknownKey('app', 'an app (its client_id)', clientId);
  const { account_key, scopes: allowed } = app;
  await recordSecurityEvent(service, { kind: 'app_approved', actor: OPERATOR, account_key, subject: clientId });
  return allowed;
}

/** The condition that an app fulfils which a manager may manage, besides being in the access scope. */
function managedBy({ registeredBy }: AppManager): { readonly registered_by?: string } {
  return registeredBy === undefined ? {} : { registered_by: registeredBy };
}
