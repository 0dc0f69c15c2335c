import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { issueApiKey, revokeApiKey } from '../../auth/api-keys.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { ApiKeyModel } from '../../models/account/api-key.ts';
import { ApiKey, IssuedApiKey, SecretKeyChange } from '../../schema/account/api-key.ts';
import { connectionOf, type Page } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';

import { shownRecord } from '../input/shown-record.ts';
import { creationPage } from '../pages/creation-page.ts';
import { PageArgs } from '../pages/page-args.ts';
import { nameOf, renameKey } from './rename-key.ts';

const ApiKeyConnection = connectionOf(ApiKey, 'ApiKey');

/** The account owner's own credentials. */
@Resolver()
export class ApiKeyResolver {
  @Access('owner')
  @Query(() => ApiKeyConnection, {
    description: "The account's API keys, without their secrets, in order of creation.",
  })
  apiKeys(@Args(() => PageArgs) page: PageArgs, @Ctx() { caller }: RequestContext): Promise<Page<ApiKey>> {
    return creationPage(ApiKeyModel, { accessScope: accessScopeOf(caller), ...page });
  }

  @Access('owner')
  @Query(() => ApiKey, { nullable: true, description: 'One API key, without its secret.' })
  async apiKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Ctx() { caller }: RequestContext,
  ): Promise<ApiKey> {
    return shownRecord(ApiKeyModel, { accessScope: accessScopeOf(caller), filter: { key } }, 'API key');
  }

  @Access('owner')
  @Mutation(() => IssuedApiKey, { description: 'Issues an API key; its secret is shown this once.' })
  issueApiKey(
    @Arg('name', () => String, { nullable: true, description: 'What people call it, 1 to 255 characters.' })
    name: string | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<IssuedApiKey> {
    return issueApiKey(accessScopeOf(context.caller).account_key, ownerIn(context), nameOf(name) ?? null);
  }

  @Access('owner')
  @Mutation(() => ApiKey, { description: 'Changes the named fields of an API key.' })
  updateApiKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Arg('input', () => SecretKeyChange, { description: 'The fields to change.' }) input: SecretKeyChange,
    @Ctx() { caller }: RequestContext,
  ): Promise<ApiKey> {
    return renameKey(ApiKeyModel, { accessScope: accessScopeOf(caller), filter: { key }, noun: 'API key' }, input);
  }

  @Access('owner')
  @Mutation(() => ApiKey, { description: 'Revokes an API key at once; repeating it is fine.' })
  async revokeApiKey(
    @Arg('key', () => String, { description: 'Which key: the `key` with which it was issued.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<ApiKey> {
    const accessScope = accessScopeOf(context.caller);
    const isThere = await revokeApiKey(key, accessScope, ownerIn(context));
    const found = isThere && (await ApiKeyModel.findOne({ key }, null, { accessScope }).lean());
    if (!found) throw notFound('API key');
    return found;
  }
}
