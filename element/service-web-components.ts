/**
 * Entry of the one built file: defines `<service-trips-map>`, unless the page has already loaded the script or another
 * version of it. The first definition stays, since it cannot be changed; a warning names a version that is ignored.
 *
 * @module
 */
import { ServiceTripsMap } from './service-trips-map.ts';

const present = customElements.get('service-trips-map') as Partial<typeof ServiceTripsMap> | undefined;
const { version = 'of an unknown version' } = present ?? {};
if (!present) customElements.define('service-trips-map', ServiceTripsMap);
else if (version !== ServiceTripsMap.version) {
  console.warn(
    `<service-trips-map> ${version} is already defined on this page, so version ${ServiceTripsMap.version} is ignored. Load only one of them.`,
  );
}
