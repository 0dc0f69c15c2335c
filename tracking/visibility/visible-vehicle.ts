import { accessScopeOf } from '../../auth/caller.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';

import { batched } from '../scheduling/batched.ts';

/** Returns true if a caller sees the vehicle with a key; those of a whole list are looked for by one query. */
export const isVehicleVisible = batched<string, boolean>(async ({ service, caller }, keys) => {
  const accessScope = accessScopeOf({ service, caller });
  const found = await VehicleStore.find(accessScope, { key: { $in: [...new Set(keys)] } }, 'key');
  const visible = new Set(found.map(({ key }) => key));
  return keys.map((key) => visible.has(key));
});
