import { UserStore } from '../../models/account/user.ts';
import { type AccessScope, tripsAccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import type { TagType } from '../../schema/account/tag.ts';

/** A change of the keys of tags that records store. */
type TagKeysUpdate = { readonly $addToSet: { tag_keys: string } } | { readonly $pull: { tag_keys: string } };

/** Changes the tags of the records of a type that a filter finds in the access scope; trips need that of their vehicles. */
export async function updateTagged(
  type: TagType,
  accessScope: AccessScope,
  filter: { readonly key: { readonly $in: string[] } } | { readonly tag_keys: string },
  update: TagKeysUpdate,
): Promise<void> {
  const options = { accessScope };
  if (type === 'Car') await VehicleStore.updateMany(options.accessScope, filter, update);
  else if (type === 'User') await UserStore.updateMany(options.accessScope, filter, update);
  else await TripStore.updateMany(options.accessScope, filter, update);
}

/** Takes a tag off all records of an account. */
export async function takeOffEverything(accessScope: AccessScope, type: TagType, key: string): Promise<void> {
  await updateTagged(type, tripsAccessScope(accessScope, null), { tag_keys: key }, { $pull: { tag_keys: key } });
}
