import type { Service } from '../../models/store/service.ts';

/** Stored field of a trip whose ends are new: their streets are to be looked up if the service has a geocoder. */
export function streetsDue({ settings: { geocoderUrl } }: Service): { readonly streets_due: Date | null } {
  return { streets_due: geocoderUrl ? new Date() : null };
}
