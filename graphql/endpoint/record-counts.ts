import { GroupStore } from '../../models/account/group.ts';
import { TagStore } from '../../models/account/tag.ts';
import { UserStore } from '../../models/account/user.ts';
import { PlaceStore } from '../../models/places/place.ts';
import type { Store } from '../../models/store/store.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';

/** Records of which an account may have enough to fill a page, by the names of their types. */
const MODELS: Readonly<Record<string, Pick<Store<unknown, unknown>, 'countDocuments'>>> = {
  Device: DeviceStore,
  Group: GroupStore,
  Place: PlaceStore,
  Tag: TagStore,
  User: UserStore,
  Vehicle: VehicleStore,
};

/** Number up to which records are counted; it is larger than any page. */
const MAX_COUNTED = 10_000;

/** Counts the records in an access scope by type, deleted ones too. */
export async function recordCounts(accessScope: AccessScope): Promise<ReadonlyMap<string, number>> {
  const counted = Object.entries(MODELS).map(async ([type, model]) => {
    const count = await model.countDocuments(accessScope, {}, { limit: MAX_COUNTED });
    return [type, count] as const;
  });
  return new Map(await Promise.all(counted));
}
