import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { PlaceStore } from '../../models/places/place.ts';
import { Deletion } from '../../schema/deletion.ts';
import type { Page } from '../../schema/page.ts';
import { Place, PlaceConnection, PlaceInput } from '../../schema/places/place.ts';

import { shownRecord } from '../input/shown-record.ts';
import { creationPage } from '../pages/creation-page.ts';
import { deletePlace } from './manage-place.ts';
import { createPlace, updatePlace } from './manage-place.ts';

/** Areas that an account has named. They are the account's: users who are restricted to groups see all of them. */
@Resolver()
export class PlaceResolver {
  @Access('places.read')
  @Query(() => PlaceConnection, { description: "The account's places, in order of creation." })
  places(
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Size of the page, 1 to 1000.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The `end_cursor` of the page before.' })
    after: string | undefined,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<Place>> {
    return creationPage(PlaceStore, { accessScope: accessScopeOf({ service, caller }), first: first ?? 50, after });
  }

  @Access('places.read')
  @Query(() => Place, { nullable: true, description: 'One place.' })
  async place(
    @Arg('key', () => String, { description: 'Key of the place.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Place> {
    return shownRecord(PlaceStore, { accessScope: accessScopeOf({ service, caller }), filter: { key } }, 'place');
  }

  @Access('places.manage', 'unrestricted')
  @Mutation(() => Place, { description: 'Creates a place. Visits to it are recorded from now on.' })
  createPlace(
    @Arg('input', () => PlaceInput, { description: 'The fields of the place.' }) input: PlaceInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Place> {
    return createPlace(accessScopeOf({ service, caller }), input);
  }

  @Access('places.manage', 'unrestricted')
  @Mutation(() => Place, {
    description: 'Updates a place. Omitted fields stay unchanged. A new area applies to positions from now on.',
  })
  updatePlace(
    @Arg('key', () => String, { description: 'Key of the place.' }) key: string,
    @Arg('input', () => PlaceInput, { description: 'The fields to change.' }) input: PlaceInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Place> {
    return updatePlace(accessScopeOf({ service, caller }), key, input);
  }

  @Access('places.manage', 'unrestricted')
  @Mutation(() => Deletion, { description: 'Deletes a place with all visits to it.' })
  async deletePlace(
    @Arg('key', () => String, { description: 'Key of the place.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Deletion> {
    await deletePlace(accessScopeOf({ service, caller }), key);
    return { key, deleted: true };
  }
}
