import type { MapEngine } from './engine/map-engine.ts';
import { ServiceTripsMap } from './service-trips-map.ts';

/**
 * Defines `<service-trips-map>` with an engine, unless the page has already loaded a script that defines it. The first
 * definition stays, since it cannot be changed; a warning names a script that is ignored.
 */
export function defineTripsMap(engine: MapEngine): void {
  const present = customElements.get('service-trips-map') as Partial<typeof ServiceTripsMap> | undefined;
  if (!present) {
    ServiceTripsMap.engine = engine;
    customElements.define('service-trips-map', ServiceTripsMap);
    return;
  }
  const [first, second] = [nameOf(present.version, present.engine), nameOf(ServiceTripsMap.version, engine)];
  if (first !== second) {
    console.warn(
      `<service-trips-map> ${first} is already defined on this page, so ${second} is ignored. Load only one of them.`,
    );
  }
}

function nameOf(version = 'of an unknown version', engine?: MapEngine): string {
  return engine ? `${version} (${engine.prefix})` : version;
}
