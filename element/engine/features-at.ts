import type { PointLike } from 'mapbox-gl';

import type { EngineMap } from './engine-map.ts';

/** A feature as both engines return it; the types of mapbox-gl do not declare a feature's properties. */
interface DrawnFeature {
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly geometry?: { readonly type: string; readonly coordinates: unknown };
}

/** Returns the features that layers show at a point of the map or in a box, the uppermost first; a layer may not be there yet. */
export function featuresAt(
  map: EngineMap,
  place: PointLike | [PointLike, PointLike],
  layers: readonly string[],
): readonly DrawnFeature[] {
  const drawn = layers.filter((layer) => map.getLayer(layer));
  if (drawn.length === 0) return [];
  return map.queryRenderedFeatures(place as [PointLike, PointLike], { layers: drawn }) as unknown as DrawnFeature[];
}
