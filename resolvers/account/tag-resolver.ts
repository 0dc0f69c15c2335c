import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, type Caller, type RequestContext } from '../../auth/caller.ts';
import { foldTagValue, TagStore } from '../../models/account/tag.ts';
import { Tag, TagChange, TaggedRecordsInput, TagInput, TagType } from '../../schema/account/tag.ts';
import { Deletion } from '../../schema/deletion.ts';
import { After, First, connectionOf, type Page } from '../../schema/page.ts';
import { shownRecord } from '../../models/lookup/shown-record.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { pointsMeter } from '../../tracking/views/points-meter.ts';
import { timeSliceOf } from '../../tracking/scheduling/time-slice.ts';
import type { Service } from '../../models/store/service.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import { type AccessScope, unrestricted, tripsAccessScope } from '../../models/store/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { UserStore } from '../../models/account/user.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { unknownKey } from '../../models/lookup/unknown-key.ts';
import { FEWEST_FIELDS } from '../../tracking/views/trip-fields.ts';
import type { GeometryWork } from '../../tracking/views/trip-geometry.ts';
import { TripVisibility } from '../../tracking/visibility/trip-visibility.ts';
import { findTrips } from '../../tracking/views/trips-of-vehicles.ts';
import { recordTagging } from '../trips/update-trip.ts';
import { TripStore } from '../../models/trips/trip.ts';

const TagConnection = connectionOf(Tag, 'Tag');

/**
 * The marks of an account. Fleet API: "Paths". Every user of the account sees them; who is restricted to groups makes and
 * applies some, and changes or deletes none, since others use them out of its sight.
 */
@Resolver()
export class TagResolver {
  @Access('account.read')
  @Query(() => TagConnection, { description: "The account's tags, in order of creation." })
  tags(
    @Arg('type', () => TagType, { nullable: true, description: 'Only tags of this type.' })
    type: TagType | null | undefined,
    @First(50) first: number | null,
    @After() after: string | null | undefined,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<Tag>> {
    const search = type == null ? {} : { type };
    return creationPage(TagStore, {
      accessScope: accessScopeOf({ service, caller }),
      first: first ?? 50,
      after,
      search,
    });
  }

  @Access('account.read')
  @Query(() => Tag, { nullable: true, description: 'One tag.' })
  tag(
    @Arg('key', () => String, { description: 'Key of the tag.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Tag> {
    return oneTag(service, caller, key);
  }

  @Access('account.manage')
  @Mutation(() => Tag, { description: 'Creates a tag.' })
  async createTag(
    @Arg('input', () => TagInput, { description: 'Fields of the new record.' }) input: TagInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Tag> {
    return oneTag(service, caller, await createTag(accessScopeOf({ service, caller }), input));
  }

  @Access('account.manage', 'unrestricted')
  @Mutation(() => Tag, { description: 'Updates a tag. Omitted fields stay unchanged.' })
  async updateTag(
    @Arg('key', () => String, { description: 'Key of the tag.' }) key: string,
    @Arg('input', () => TagChange, { description: 'The fields to change.' }) input: TagChange,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Tag> {
    await updateTag(accessScopeOf({ service, caller }), await oneTag(service, caller, key), input);
    return oneTag(service, caller, key);
  }

  @Access('account.manage', 'unrestricted')
  @Mutation(() => Deletion, { description: 'Deletes a tag and removes it from all records. It cannot be restored.' })
  async deleteTag(
    @Arg('key', () => String, { description: 'Key of the tag.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Deletion> {
    return deleteTag(accessScopeOf({ service, caller }), await oneTag(service, caller, key));
  }

  @Access('account.manage')
  @Mutation(() => Tag, {
    description: 'Adds a tag to vehicles, trips or users, or removes it. Idempotent.',
  })
  async applyTag(
    @Arg('key', () => String, { description: 'Key of the tag.' }) key: string,
    @Arg('input', () => TaggedRecordsInput, { description: 'The records.' }) input: TaggedRecordsInput,
    @Ctx() context: RequestContext,
  ): Promise<Tag> {
    const tag = await oneTag(context.service, context.caller, key);
    const work = { meter: pointsMeter(context.work), slice: timeSliceOf(context) };
    await applyTag(context.service, context.caller, tag, input, work);
    return tag;
  }
}

function oneTag(service: Service, caller: Caller, key: string): Promise<Tag> {
  return shownRecord(TagStore, { accessScope: accessScopeOf({ service, caller }), filter: { key } }, 'tag');
}

/**
 * Makes a tag; returns its key.
 *
 * @throws ServiceError BAD_REQUEST naming `value` or `color`
 */
async function createTag({ service, account_key }: AccessScope, input: TagInput): Promise<string> {
  const key = newKey();
  const fields = { key, account_key, color: null, ...storedFields(TagInput.read(input)), created: new Date() };
  await unlessTaken(() => TagStore.create(unrestricted(service), fields));
  return key;
}

/**
 * Changes a tag. Records store its key alone, so it is changed everywhere.
 *
 * @throws ServiceError BAD_REQUEST naming `value` or `color`
 */
async function updateTag(accessScope: AccessScope, { key }: Pick<Tag, 'key'>, input: TagChange): Promise<void> {
  const change = storedFields(TagChange.read(input));
  if (Object.keys(change).length === 0) return;
  const fields = { $set: { ...change, updated: new Date() } };
  await unlessTaken(() => TagStore.updateOne(accessScope, { key }, fields));
}

/** Deletes a tag. Where a kill interrupts it, the tag is there still, and deleting it again completes the work. */
async function deleteTag(accessScope: AccessScope, { key, type }: Tag): Promise<Deletion> {
  await updateTagged(type, tripsAccessScope(accessScope, null), { tag_keys: key }, { $pull: { tag_keys: key } });
  await TagStore.deleteOne(accessScope, { key });
  return { key, deleted: true };
}

/** The stored fields that read values set. */
function storedFields({ value, ...fields }: Partial<Tag>) {
  return { ...fields, ...(value !== undefined && { value, value_folded: foldTagValue(value) }) };
}

async function unlessTaken(write: () => Promise<unknown> | PromiseLike<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new ServiceError('BAD_REQUEST', 'value is taken by another tag of this type');
  }
}

/** Maximum number of records that one request tags. */
const MAX_RECORDS = 200;

const NOUNS = { Car: 'a vehicle', Trip: 'a trip', User: 'a user' } as const;

/**
 * Puts a tag on records of its type, or takes it off.
 *
 * @param work the means to find out which trips are seen
 * @throws ServiceError BAD_REQUEST naming `entity_keys`, before anything is changed, if the caller cannot see one
 */
async function applyTag(
  service: Service,
  caller: Caller,
  { key, type }: Pick<Tag, 'key' | 'type'>,
  { entity_keys, action }: TaggedRecordsInput,
  work: GeometryWork,
): Promise<void> {
  const wanted = [...new Set(entity_keys)];
  if (wanted.length > MAX_RECORDS) {
    throw new ServiceError('BAD_REQUEST', `entity_keys must have at most ${MAX_RECORDS} keys`);
  }
  if (wanted.length === 0) return;
  const { found, accessScope } = await (type === 'Trip'
    ? seenTrips({ service, caller }, wanted, work)
    : seen(service, caller, type, wanted));
  for (const one of wanted) if (!found.has(one)) throw unknownKey('entity_keys', NOUNS[type], one);
  if (type === 'Trip' && action !== 'remove') await recordTagging(accessScope, wanted, [key]);
  const change = action === 'remove' ? { $pull: { tag_keys: key } } : { $addToSet: { tag_keys: key } };
  await updateTagged(type, accessScope, { key: { $in: wanted } }, change);
}

/** Records that a caller sees, and the access scope in which they are found. */
interface Seen {
  readonly found: ReadonlySet<string>;
  readonly accessScope: AccessScope;
}

async function seen(service: Service, caller: Caller, type: 'Car' | 'User', keys: readonly string[]): Promise<Seen> {
  const accessScope = accessScopeOf({ service, caller });
  const filter = { key: { $in: [...keys] } };
  const found: readonly { readonly key: string }[] =
    type === 'Car'
      ? await VehicleStore.find(accessScope, filter, { key: 1 })
      : await UserStore.find(accessScope, filter, { key: 1 });
  return { found: new Set(found.map((one) => one.key)), accessScope };
}

async function seenTrips(context: RequestContext, keys: readonly string[], work: GeometryWork): Promise<Seen> {
  const visibility = await TripVisibility.ofAll(context);
  const trips = await findTrips(visibility, keys, { ...work, fields: FEWEST_FIELDS });
  const vehicles = [...new Set(trips.map(({ vehicle_key }) => vehicle_key))];
  return {
    found: new Set(trips.map(({ key }) => key)),
    accessScope: tripsAccessScope(visibility.records, vehicles),
  };
}

/** A change of the keys of tags that records store. */
type TagKeysUpdate = { readonly $addToSet: { tag_keys: string } } | { readonly $pull: { tag_keys: string } };

/** Changes the tags of the records of a type that a filter finds in the access scope; trips need that of their vehicles. */
async function updateTagged(
  type: TagType,
  accessScope: AccessScope,
  filter: { readonly key: { readonly $in: string[] } } | { readonly tag_keys: string },
  update: TagKeysUpdate,
): Promise<void> {
  if (type === 'Car') await VehicleStore.updateMany(accessScope, filter, update);
  else if (type === 'User') await UserStore.updateMany(accessScope, filter, update);
  else await TripStore.updateMany(accessScope, filter, update);
}
