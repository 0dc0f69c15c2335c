import { PlaceStore, placesChanged } from '../../models/places/place.ts';
import { VisitStore } from '../../models/places/visit.ts';
import { type AccessScope, tripsAccessScope } from '../../models/store/tenancy.ts';
import { notFound } from '../../schema/service-error.ts';

/**
 * Deletes a place with its visits. They go before it, so that it is still there to be deleted again if that is interrupted,
 * and once more after it, since positions may have made others.
 * @throws ServiceError NOT_FOUND
 */
export async function deletePlace(accessScope: AccessScope, key: string): Promise<void> {
  const ofAll = tripsAccessScope(accessScope, null);
  const deleteVisits = () => VisitStore.deleteMany(ofAll, { place_key: key });
  await deleteVisits();
  const { deletedCount } = await PlaceStore.deleteOne(accessScope, { key });
  if (deletedCount === 0) throw notFound('place');
  await placesChanged(ofAll.service, accessScope.account_key);
  await deleteVisits();
}
