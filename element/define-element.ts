import { ServiceTripsMap } from './service-trips-map.ts';

/**
 * Defines `<service-trips-map>`, unless the page has already loaded the script or another version of it. The first
 * definition stays, since it cannot be changed; a warning on the console names a version that is ignored.
 */
export function defineElement(): void {
  const present = customElements.get('service-trips-map') as Partial<typeof ServiceTripsMap> | undefined;
  if (!present) {
    customElements.define('service-trips-map', ServiceTripsMap);
    return;
  }
  const { version = 'of an unknown version' } = present;
  if (version === ServiceTripsMap.version) return;
  console.warn(
    `<service-trips-map> ${version} is already defined on this page, so version ${ServiceTripsMap.version} is ignored. Load only one of them.`,
  );
}
