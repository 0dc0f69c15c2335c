import { Map as EngineMap, NavigationControl } from 'maplibre-gl';
import engineStyles from 'maplibre-gl/dist/maplibre-gl.css?inline';

import { pageData } from './page-data.ts';
import { language } from './texts.ts';

const darkness = matchMedia('(prefers-color-scheme: dark)');

/**
 * Opens a map of the service, light or dark as the page.
 *
 * @param draw adds layers to the map; called again when its style has changed
 * @throws Error without WebGL
 */
export function openMap(container: HTMLElement, draw: (map: EngineMap) => void): EngineMap {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(engineStyles);
  document.adoptedStyleSheets.push(sheet);
  const map = new EngineMap({
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
  map.addControl(new NavigationControl({ showCompass: false }));
  map.on('style.load', () => draw(map));
  const restyle = (): void => {
    map.setStyle(styleAddress(), { diff: false });
  };
  darkness.addEventListener('change', restyle);
  map.on('remove', () => darkness.removeEventListener('change', restyle));
  return map;
}

/** A color of the page, such as `--accent`. */
export function pageColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function styleAddress(): string {
  const name = darkness.matches ? 'style-dark' : 'style';
  return `${pageData().siteUrl}/map/${name}.json?lang=${language}`;
}
