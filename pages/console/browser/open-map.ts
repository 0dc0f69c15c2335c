import type { Map as EngineMap } from 'maplibre-gl';

import { pageData } from './page-data.ts';
import { language } from './texts.ts';
import { loadTripsMap } from './trip-map.ts';

/** The engine of the component's file, as a module. */
export type MapLibrary = typeof import('maplibre-gl');

const darkness = matchMedia('(prefers-color-scheme: dark)');

/** Opens a map of the service, light or dark as the page, in an element; null without WebGL. */
export async function openMap(
  container: HTMLElement,
): Promise<{ readonly map: EngineMap; readonly library: MapLibrary } | null> {
  const engine = await loadTripsMap();
  const library = (await engine.load()) as unknown as MapLibrary | null;
  if (library === null) return null;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(engine.css);
  document.adoptedStyleSheets.push(sheet);
  const map = new library.Map({
    container,
    style: styleAddress(),
    center: [10, 50],
    zoom: 3,
    attributionControl: { compact: true },
    cooperativeGestures: matchMedia('(max-width: 60rem)').matches,
    dragRotate: false,
    pitchWithRotate: false,
  });
  map.touchZoomRotate.disableRotation();
  map.addControl(new library.NavigationControl({ showCompass: false }));
  const restyle = (): void => {
    map.setStyle(styleAddress(), { diff: false });
  };
  darkness.addEventListener('change', restyle);
  map.on('remove', () => darkness.removeEventListener('change', restyle));
  return { map, library };
}

/** A color of the page, such as `--accent`. */
export function pageColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function styleAddress(): string {
  const name = darkness.matches ? 'style-dark' : 'style';
  return `${pageData().siteUrl}/map/${name}.json?lang=${language}`;
}
