import type { MapMouseEvent } from 'mapbox-gl';

/** The properties of the feature that the reader points at. mapbox-gl's own types do not say that features have any. */
export function propertiesOf({ features }: MapMouseEvent): Readonly<Record<string, unknown>> | null {
  const [feature] = (features ?? []) as readonly { readonly properties?: Record<string, unknown> | null }[];
  return feature?.properties ?? null;
}
