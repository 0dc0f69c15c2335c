import type { MapOptions } from 'mapbox-gl';

import type { MapSettings } from '../map/map-settings.ts';

/** Returns the options of a map that both engines have. */
export function sharedOptions(container: HTMLElement, { fallback }: MapSettings) {
  const manners = { trackResize: false, dragRotate: false, pitchWithRotate: false };
  return { container, ...fallback, ...manners } satisfies MapOptions;
}
