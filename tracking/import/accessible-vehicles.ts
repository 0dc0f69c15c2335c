import { listPrivacyZones, stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { OdometerReading } from '../../models/vehicles/vehicle.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import { followOdometer, newReading } from '../geometry/reading-bases.ts';
import { isInZones } from '../geometry/zone.ts';
import type { Service } from '../../models/store/service.ts';

/** The vehicles with imported data that others than the owner can see: a position outside the privacy zones. */
export class AccessibleVehicles {
  readonly #service: Service;
  readonly #accountKey: string;
  readonly #accessible = new Set<string>();
  readonly #all = new Set<string>();
  /** The latest reading, by vehicle. */
  readonly #odometers = new Map<string, OdometerReading>();
  #zones: Promise<readonly PrivacyZone[]> | null = null;

  constructor(service: Service, accountKey: string) {
    this.#service = service;
    this.#accountKey = accountKey;
  }

  /** Adds trips that will be shown. */
  async add(trips: readonly { readonly vehicle_key: string; readonly points: TripPoints }[]): Promise<void> {
    this.#zones ??= this.#readZones();
    const zones = await this.#zones;
    for (const { vehicle_key, points } of trips) {
      this.#all.add(vehicle_key);
      const reading = newReading(vehicle_key, null, followOdometer(null, points));
      const known = this.#odometers.get(vehicle_key);
      if (reading && !(known && known.at >= reading.at)) this.#odometers.set(vehicle_key, reading);
      if (this.#accessible.has(vehicle_key)) continue;
      if (points.time.some((_, at) => !isInZones(zones, points, at))) this.#accessible.add(vehicle_key);
    }
  }

  /** The changes of the vehicles, once the trips are shown: of all vehicles if zones were created or deleted meanwhile. */
  async changes(): Promise<{ readonly keys: readonly string[]; readonly odometers: readonly OdometerReading[] }> {
    const zones = await this.#readZones();
    const isSame = stateOfZones((await this.#zones) ?? []) === stateOfZones(zones);
    const keys = [...(isSame ? this.#accessible : this.#all)];
    return { keys, odometers: [...this.#odometers.values()] };
  }

  #readZones(): Promise<readonly PrivacyZone[]> {
    return listPrivacyZones(accountAccessScope(this.#service, this.#accountKey));
  }
}
