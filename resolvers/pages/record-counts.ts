import type { Model } from 'mongoose';

import { GroupModel } from '../../models/account/group.ts';
import { TagModel } from '../../models/account/tag.ts';
import { UserModel } from '../../models/account/user.ts';
import { PlaceModel } from '../../models/places/place.ts';
import type { AccessScope } from '../../models/tenancy.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';

/** Records that an account has in such numbers that a page of them may be full, by the names of their types. */
const MODELS: Readonly<Record<string, Pick<Model<unknown>, 'countDocuments'>>> = {
  Device: DeviceModel,
  Group: GroupModel,
  Place: PlaceModel,
  Tag: TagModel,
  User: UserModel,
  Vehicle: VehicleModel,
};

/** Number up to which records are counted; it is larger than any page. */
const MAX_COUNTED = 10_000;

/** Counts the records in an access scope by type, deleted ones too. */
export async function recordCounts(accessScope: AccessScope): Promise<ReadonlyMap<string, number>> {
  const counted = Object.entries(MODELS).map(async ([type, model]) => {
    const count = await model.countDocuments({}, { limit: MAX_COUNTED }).setOptions({ accessScope });
    return [type, count] as const;
  });
  return new Map(await Promise.all(counted));
}
