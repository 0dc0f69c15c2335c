import type { MapMouseEvent } from 'mapbox-gl';

/** The exports of mapbox-gl. */
export type MapboxLibrary = typeof import('mapbox-gl').default;

/**
 * Evaluates mapbox-gl, which is part of the same file, when the first interactive map needs it.
 *
 * @throws Error if the page or the browser lacks what mapbox-gl needs, without which it would hang silently
 */
export async function mapboxLibrary(): Promise<MapboxLibrary> {
  workersAllowed ??= probeWorker();
  if (!(await workersAllowed)) {
    throw new Error("The page's Content-Security-Policy keeps the map from starting: allow `worker-src blob:`");
  }
  // The types declare a default export within the default export; there is only one.
  const mapboxgl = (await import('mapbox-gl')).default as unknown as MapboxLibrary;
  if (!mapboxgl.supported()) throw new Error('The map needs WebGL 2, which this browser does not offer');
  return mapboxgl;
}

let workersAllowed: Promise<boolean> | undefined;

/** Resolves to true if a worker made from a blob answers; a Content-Security-Policy blocks it with an error event only. */
function probeWorker(): Promise<boolean> {
  const url = URL.createObjectURL(new Blob(['postMessage(0)'], { type: 'text/javascript' }));
  return new Promise<boolean>((resolve) => {
    const worker = new Worker(url);
    const answer = (allowed: boolean) => (): void => {
      worker.terminate();
      resolve(allowed);
    };
    worker.onmessage = answer(true);
    worker.onerror = answer(false);
  })
    .catch(() => false)
    .finally(() => URL.revokeObjectURL(url));
}

/** Properties of the feature below the pointer, if any. The types of mapbox-gl do not declare a feature's properties. */
export function propertiesOf({ features }: MapMouseEvent): Readonly<Record<string, unknown>> | null {
  const [feature] = (features ?? []) as readonly { readonly properties?: Record<string, unknown> | null }[];
  return feature?.properties ?? null;
}
