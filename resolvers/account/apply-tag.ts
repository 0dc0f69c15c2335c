import { type Caller, accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { UserStore } from '../../models/account/user.ts';
import { type AccessScope, tripsAccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import type { Tag, TaggedRecordsInput } from '../../schema/account/tag.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { unknownKey } from '../input/unknown-key.ts';
import { FEWEST_FIELDS } from '../trips/trip-fields.ts';
import type { GeometryWork } from '../trips/trip-geometry.ts';
import { TripVisibility } from '../trips/trip-visibility.ts';
import { findTrips } from '../trips/trips-of-vehicles.ts';
import { recordTagging } from '../trips/record-tagging.ts';
import { updateTagged } from './tagged-records.ts';
import type { Service } from '../../models/store/service.ts';

/** Maximum number of records that one request tags. */
const MAX_RECORDS = 200;

const NOUNS = { Car: 'a vehicle', Trip: 'a trip', User: 'a user' } as const;

/**
 * Puts a tag on records of its type, or takes it off.
 *
 * @param work the means to find out which trips are seen
 * @throws ServiceError BAD_REQUEST naming `entity_keys`, before anything is changed, where the caller does not see one
 */
export async function applyTag(
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
