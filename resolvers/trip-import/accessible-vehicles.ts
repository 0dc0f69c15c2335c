import { listPrivacyZones, stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import { isInZones } from '../geometry/zone.ts';

/** The vehicles of which an import brings something that others than the owner see: a position outside the privacy zones. */
export class AccessibleVehicles {
  readonly #accountKey: string;
  readonly #accessible = new Set<string>();
  readonly #all = new Set<string>();
  #zones: Promise<readonly PrivacyZone[]> | null = null;

  constructor(accountKey: string) {
    this.#accountKey = accountKey;
  }

  /** Takes trips that will be shown. */
  async add(trips: readonly { readonly vehicle_key: string; readonly points: TripPoints }[]): Promise<void> {
    this.#zones ??= this.#readZones();
    const zones = await this.#zones;
    for (const { vehicle_key, points } of trips) {
      this.#all.add(vehicle_key);
      if (this.#accessible.has(vehicle_key)) continue;
      if (points.time.some((_, at) => !isInZones(zones, points, at))) this.#accessible.add(vehicle_key);
    }
  }

  /** The keys of the vehicles, once the trips are shown: of all where zones were made or deleted meanwhile. */
  async keys(): Promise<string[]> {
    const isSame = stateOfZones((await this.#zones) ?? []) === stateOfZones(await this.#readZones());
    return [...(isSame ? this.#accessible : this.#all)];
  }

  #readZones(): Promise<readonly PrivacyZone[]> {
    return listPrivacyZones(accountAccessScope(this.#accountKey));
  }
}
