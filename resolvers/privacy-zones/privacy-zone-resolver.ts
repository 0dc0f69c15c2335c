import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { PrivacyZoneStore } from '../../models/vehicles/privacy-zone.ts';
import { PrivacyZone, PrivacyZoneChange, PrivacyZoneInput } from '../../schema/vehicles/privacy-zone.ts';
import { connectionOf, type Page } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';

import { shownRecord } from '../input/shown-record.ts';
import { creationPage } from '../pages/creation-page.ts';
import { PageArgs } from '../pages/page-args.ts';
import { createPrivacyZone } from './manage-privacy-zone.ts';
import { deletePrivacyZone } from './manage-privacy-zone.ts';
import { updatePrivacyZone } from './manage-privacy-zone.ts';

const PrivacyZoneConnection = connectionOf(PrivacyZone, 'PrivacyZone');

const KEY = 'Key of the zone.';

/** Places where apps and trip maps do not see the account's vehicles; for its owner. */
@Resolver()
export class PrivacyZoneResolver {
  @Access('owner')
  @Query(() => PrivacyZoneConnection, { description: "The account's privacy zones, in order of creation." })
  privacyZones(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<PrivacyZone>> {
    return creationPage(PrivacyZoneStore, { accessScope: accessScopeOf({ service, caller }), ...page });
  }

  @Access('owner')
  @Query(() => PrivacyZone, { nullable: true, description: 'One privacy zone.' })
  async privacyZone(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<PrivacyZone> {
    return shownRecord(
      PrivacyZoneStore,
      { accessScope: accessScopeOf({ service, caller }), filter: { key } },
      'privacy zone',
    );
  }

  @Access('owner')
  @Mutation(() => PrivacyZone, {
    description: 'Creates a privacy zone. It applies from the next request on, also to past trips.',
  })
  createPrivacyZone(
    @Arg('input', () => PrivacyZoneInput, { description: 'Fields of the new record.' }) input: PrivacyZoneInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<PrivacyZone> {
    return createPrivacyZone(accessScopeOf({ service, caller }), input);
  }

  @Access('owner')
  @Mutation(() => PrivacyZone, {
    description:
      'Updates a privacy zone. Omitted fields stay unchanged. A new area applies from the next request on, ' +
      'also to past trips.',
  })
  updatePrivacyZone(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Arg('input', () => PrivacyZoneChange, { description: 'The fields to change.' }) input: PrivacyZoneChange,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<PrivacyZone> {
    return updatePrivacyZone(accessScopeOf({ service, caller }), key, input);
  }

  @Access('owner')
  @Mutation(() => Boolean, {
    description: 'Deletes a privacy zone. What it hid is visible again from the next request on. Always true.',
  })
  async deletePrivacyZone(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<boolean> {
    if (!(await deletePrivacyZone(accessScopeOf({ service, caller }), key))) throw notFound('privacy zone');
    return true;
  }
}
