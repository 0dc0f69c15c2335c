import { accessScopeOf } from '../../auth/caller.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';

import { batched } from '../execution/batched.ts';

/** Tells whether a caller sees the vehicle with a key; those of a whole list are looked for by one query. */
export const isVehicleVisible = batched<string, boolean>(async ({ caller }, keys) => {
  const accessScope = accessScopeOf(caller);
  const found = await VehicleModel.find({ key: { $in: [...new Set(keys)] } }, 'key', { accessScope }).lean();
  const visible = new Set(found.map(({ key }) => key));
  return keys.map((key) => visible.has(key));
});
