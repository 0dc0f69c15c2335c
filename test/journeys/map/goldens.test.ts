import { beforeEach, expect, test } from 'vitest';

import type { LonLat } from '../../../element/trips/trip.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';
import { pageOf, rejection, timedTrip, wireTrip } from '../../browser/fake-trips-service.ts';
import { differenceFromGolden, GOLDEN_BROWSER } from '../../browser/golden.ts';

const pages = useElementPages();

/** A way of `count` positions from a place on, which winds as roads do. */
function way(lon: number, lat: number, count: number, turn: number): LonLat[] {
  const at = (index: number): LonLat => [
    lon + 0.0022 * index * Math.cos(turn) + 0.004 * Math.sin(index / 6 + turn),
    lat + 0.0016 * index * Math.sin(turn) + 0.003 * Math.cos(index / 4),
  ];
  return Array.from({ length: count }, (_, index) => at(index));
}

const LOCAL = { 'map-style': 'local-style.json', theme: 'light' };
const COMMUTE = way(11.5, 48.1, 60, 0.5);
const DAY = [0.4, 2.2, 3.9, 5.4].map((turn, at) =>
  timedTrip(
    `trip-${at}`,
    way(11.6, 48.15, 50, turn),
    COMMUTE.map((_, position) => 42 - 36 * Math.cos(position / 8)),
    `2026-11-03T${String(7 + at * 3).padStart(2, '0')}:10:00Z`,
  ),
);

/** Each view: attributes, the size of the element, and what the reader does. */
const VIEWS: readonly {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | null>>;
  readonly respond?: typeof pages.service.respond;
  readonly width?: number;
  readonly shown?: (page: ElementPage) => Promise<void>;
}[] = [
  { name: 'one-trip', attributes: LOCAL },
  {
    name: 'day',
    attributes: { ...LOCAL, 'trip-list': '', 'color-by': 'speed', replay: '' },
    respond: () => pageOf(DAY),
    width: 720,
  },
  { name: 'static', attributes: { 'map-type': 'static', theme: 'light' } },
  {
    name: 'popup',
    attributes: { ...LOCAL, 'reverse-geocode': '' },
    shown: async ({ page }) => {
      await page.locator('[part~=stop]').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByText('12 Test Street').or(page.getByText('Fakeville')).first().waitFor();
    },
  },
  { name: 'dark', attributes: { 'map-style': 'local-style-dark.json', theme: 'dark' }, respond: () => pageOf(DAY) },
  {
    name: 'error',
    attributes: LOCAL,
    respond: () => rejection(500, 'INTERNAL_SERVER_ERROR', 'The service is being repaired'),
    shown: ({ page }) => page.getByText('The service is being repaired').waitFor(),
  },
];

beforeEach(({ skip }) => {
  const version = pages.browser.version().split('.')[0];
  skip(version !== GOLDEN_BROWSER, `The goldens are those of Chromium ${GOLDEN_BROWSER}, and this is ${version}`);
});

test.each(VIEWS)('the view $name looks as it did', async ({ name, attributes, respond, width = 560, shown }) => {
  pages.service.respond = respond ?? (() => pageOf([wireTrip('trip-1', COMMUTE)]));
  const style = `<style nonce="page">@font-face{font-family:Golden;src:url(inter-latin.woff2)}
body{margin:0;--trips-map-font:Golden}service-trips-map{width:${width}px;height:360px}</style>`;
  const page = await pages.open(`${style}<service-trips-map ${pages.attributes(attributes)}></service-trips-map>`, {
    viewport: { width, height: 360 },
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
  });
  await page.saw('map-load');
  if (!shown) await page.saw('trip-render');
  await shown?.(page);
  await page.page.evaluate(async () => {
    await document.fonts.load('14px Golden');
    const map = document.querySelector('service-trips-map')?.map;
    if (map && 'getStyle' in map) {
      await new Promise((resolve) => {
        map.once('idle', resolve);
        map.triggerRepaint();
      });
    }
  });
  const picture = await page.page.screenshot({ animations: 'disabled', caret: 'hide' });
  const { part, hint } = differenceFromGolden(name, picture);
  expect(part, hint).toBeLessThanOrEqual(0.005);
  await page.close();
});
