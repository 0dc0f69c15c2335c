import type { MapMouseEvent } from 'mapbox-gl';

/** mapbox-gl as its file exports it. */
export type MapboxLibrary = typeof import('mapbox-gl').default;

/**
 * Evaluates mapbox-gl, which lies in the same file, when the first interactive map asks for it.
 *
 * @throws Error where the page or the browser lacks what mapbox-gl cannot do without, and would wait for in silence
 */
export async function mapboxLibrary(): Promise<MapboxLibrary> {
  workersAllowed ??= probeWorker();
  if (!(await workersAllowed)) {
    throw new Error("The page's Content-Security-Policy keeps the map from starting: allow `worker-src blob:`");
  }
  // Its types say that the library is the default export of what its file exports; it is what its file exports.
  const mapboxgl = (await import('mapbox-gl')).default as unknown as MapboxLibrary;
  if (!mapboxgl.supported()) throw new Error('The map needs WebGL 2, which this browser does not offer');
  return mapboxgl;
}

let workersAllowed: Promise<boolean> | undefined;

/** Whether a worker made from a blob answers; a Content-Security-Policy refuses it by an error event only. */
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
