import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { madeBy } from '../../auth/maker.ts';
import { ShareStore } from '../../models/shares/share.ts';
import { Deletion } from '../../schema/deletion.ts';
import type { Page } from '../../schema/page.ts';
import { IssuedShare, Share, ShareConnection, ShareEndInput, ShareInput } from '../../schema/shares/share.ts';

import { shownRecord } from '../input/shown-record.ts';
import { creationPage } from '../pages/creation-page.ts';
import { PageArgs } from '../pages/page-args.ts';
import { createShare, deleteShare, updateShare } from './manage-share.ts';

const KEY = 'Key of the share.';

/** Links to vehicles and trips: those of the account, and for an app those that it has made for its user. */
@Resolver()
export class ShareResolver {
  @Access('account_activity.read')
  @Query(() => ShareConnection, {
    description: 'Shares, in order of creation. Shares that have ended stay in the list for 30 days.',
  })
  shares(@Args(() => PageArgs) page: PageArgs, @Ctx() { service, caller }: RequestContext): Promise<Page<Share>> {
    return creationPage(ShareStore, {
      accessScope: accessScopeOf({ service, caller }),
      search: madeBy(caller),
      ...page,
    });
  }

  @Access('account_activity.read')
  @Query(() => Share, { nullable: true, description: 'One share.' })
  async share(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Share> {
    const filter = { key, ...madeBy(caller) };
    return shownRecord(ShareStore, { accessScope: accessScopeOf({ service, caller }), filter }, 'share');
  }

  @Access('account_activity.manage')
  @Mutation(() => IssuedShare, {
    description: 'Shares a vehicle, from now on, or a trip. The link is shown only once.',
  })
  createShare(
    @Arg('input', () => ShareInput, { description: 'What to share, and until when.' }) input: ShareInput,
    @Ctx() context: RequestContext,
  ): Promise<IssuedShare> {
    return createShare(context, input);
  }

  @Access('account_activity.manage')
  @Mutation(() => Share, { description: 'Changes when a share ends. A time in the past ends it now.' })
  updateShare(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Arg('input', () => ShareEndInput, { description: 'The fields to change.' }) input: ShareEndInput,
    @Ctx() context: RequestContext,
  ): Promise<Share> {
    return updateShare(context, key, input);
  }

  @Access('account_activity.manage')
  @Mutation(() => Deletion, { description: 'Revokes a share. Its page stops showing anything.' })
  async deleteShare(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await deleteShare(context, key);
    return { key, deleted: true };
  }
}
