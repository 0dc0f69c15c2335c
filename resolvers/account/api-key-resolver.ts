import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { issueApiKey, revokeApiKey } from '../../auth/api-keys.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { ApiKeyStore } from '../../models/account/api-key.ts';
import { ApiKey, IssuedApiKey, SecretKeyChange } from '../../schema/account/api-key.ts';
import { Deletion } from '../../schema/deletion.ts';
import { connectionOf, type Page, PageArgs } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';

import { shownRecord } from '../../models/lookup/shown-record.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { nameOf, renameKey } from '../../models/account/rename-key.ts';

const ApiKeyConnection = connectionOf(ApiKey, 'ApiKey');

/** The account owner's own credentials. */
@Resolver()
export class ApiKeyResolver {
  @Access('owner')
  @Query(() => ApiKeyConnection, {
    description: "The account's API keys, without their secrets, in order of creation.",
  })
  apiKeys(@Args(() => PageArgs) page: PageArgs, @Ctx() { service, caller }: RequestContext): Promise<Page<ApiKey>> {
    return creationPage(ApiKeyStore, { accessScope: accessScopeOf({ service, caller }), ...page });
  }

  @Access('owner')
  @Query(() => ApiKey, { nullable: true, description: 'One API key, without its secret.' })
  async apiKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<ApiKey> {
    return shownRecord(ApiKeyStore, { accessScope: accessScopeOf({ service, caller }), filter: { key } }, 'API key');
  }

  @Access('owner', 'recent-sign-in')
  @Mutation(() => IssuedApiKey, { description: 'Issues an API key. Its secret is shown only once.' })
  issueApiKey(
    @Arg('name', () => String, { nullable: true, description: 'Display name, 1 to 255 characters.' })
    name: string | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<IssuedApiKey> {
    return issueApiKey(context.service, accessScopeOf(context).account_key, ownerIn(context), nameOf(name) ?? null);
  }

  @Access('owner', 'recent-sign-in')
  @Mutation(() => ApiKey, { description: 'Updates an API key. Omitted fields stay unchanged.' })
  updateApiKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Arg('input', () => SecretKeyChange, { description: 'The fields to change.' }) input: SecretKeyChange,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<ApiKey> {
    return renameKey(
      ApiKeyStore,
      { accessScope: accessScopeOf({ service, caller }), filter: { key }, noun: 'API key' },
      input,
    );
  }

  @Access('owner')
  @Mutation(() => Deletion, { description: 'Revokes an API key immediately: lists show it as revoked. Idempotent.' })
  async deleteApiKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    if (!(await revokeApiKey(key, accessScopeOf(context), ownerIn(context)))) throw notFound('API key');
    return { key, deleted: true };
  }
}
