import { join } from 'node:path';

import { beforeEach, describe, expect, test } from 'vitest';

import type { LonLat } from '../../../element/trips/trip.ts';
import type { Engine } from '../../browser/built-file.ts';
import { enginesWith } from '../../browser/engines-with.ts';
import { type ElementPage, type ElementPages, useElementPages } from '../../browser/element-page.ts';
import { pageOf, rejection, type TripsAnswer, timedTrip, wireTrip } from '../../browser/fake-trips-service.ts';
import { differenceFromGolden, GOLDEN_BROWSER } from '../../browser/golden.ts';

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

const ONE = (): TripsAnswer => pageOf([wireTrip('trip-1', COMMUTE)]);
const ALL = (): TripsAnswer => pageOf(DAY);
const NONE = (): TripsAnswer => pageOf([]);
const REPAIR = (): TripsAnswer => rejection(500, 'INTERNAL_SERVER_ERROR', 'The service is being repaired');

const PANELS = { 'trip-list': '', 'color-by': 'speed', replay: '' };
const DARK = { 'map-style': 'local-style-dark.json', theme: 'dark' };
const GERMAN = 'lang="de"';
const HEBREW = 'lang="he" dir="rtl"';

const openSheet = ({ page }: ElementPage): Promise<void> => page.locator('[part=trip-list] .handle').press('Enter');
const chooseSecond = ({ page }: ElementPage): Promise<void> => page.locator('[part=trip]').nth(1).press('Enter');
const playOn = ({ page }: ElementPage): Promise<void> => page.locator('[part=replay] input').press('PageUp');
const sees = (text: string) => (page: ElementPage) => page.page.getByText(text).waitFor();
async function openPopup({ page }: ElementPage): Promise<void> {
  await page.locator('[part~=stop]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByText('12 Test Street').waitFor();
}

/** A view of the element: its attributes, its page, and what the reader does. */
interface View {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | null>>;
  readonly respond?: () => TripsAnswer;
  /** Width and height of the element; one below 400 is on a screen that is touched. */
  readonly size?: readonly [width: number, height: number];
  /** Attributes of the root element of the page. */
  readonly root?: string;
  readonly does?: readonly ((page: ElementPage) => Promise<void>)[];
}

const ADDRESS = { 'reverse-geocode': '' };
const DARK_PANELS = { ...PANELS, ...DARK };

const VIEWS: readonly View[] = [
  { name: 'one-trip' },
  { name: 'dark', attributes: DARK, respond: ALL },
  { name: 'day', attributes: PANELS, respond: ALL, size: [720, 360] },
  { name: 'wide', attributes: PANELS, respond: ALL, size: [1280, 420], root: GERMAN, does: [chooseSecond] },
  {
    name: 'wide-dark',
    attributes: { ...DARK_PANELS, fullscreen: '' },
    respond: ALL,
    size: [1280, 420],
    does: [playOn],
  },
  { name: 'phone', attributes: PANELS, respond: ALL, size: [390, 420], root: GERMAN },
  { name: 'phone-dark', attributes: DARK_PANELS, respond: ALL, size: [390, 420], does: [openSheet] },
  {
    name: 'narrow-dark',
    attributes: DARK_PANELS,
    respond: ALL,
    size: [320, 420],
    root: GERMAN,
    does: [openSheet, chooseSecond],
  },
  { name: 'popup', attributes: ADDRESS, size: [320, 420], root: GERMAN, does: [openPopup] },
  { name: 'error', respond: REPAIR, size: [320, 360], root: GERMAN, does: [sees('The service is being repaired')] },
  {
    name: 'mirrored',
    attributes: PANELS,
    respond: ALL,
    size: [720, 360],
    root: HEBREW,
    does: [chooseSecond, playOn],
  },
  { name: 'mirrored-phone', attributes: DARK_PANELS, respond: ALL, size: [390, 420], root: HEBREW },
  { name: 'mirrored-sheet', attributes: PANELS, respond: ALL, size: [320, 420], root: HEBREW, does: [openSheet] },
  { name: 'mirrored-popup', attributes: ADDRESS, root: HEBREW, does: [openPopup] },
  { name: 'mirrored-empty', respond: NONE, size: [320, 360], root: HEBREW },
];

/** Gives a group of tests its pages, and skips them in a browser that draws other pictures. */
function useGoldenPages(engine?: Engine): ElementPages {
  const pages = useElementPages(engine);
  beforeEach(({ skip }) => {
    const version = pages.browser.version().split('.')[0];
    skip(version !== GOLDEN_BROWSER, `The goldens are those of Chromium ${GOLDEN_BROWSER}, and this is ${version}`);
  });
  return pages;
}

/** Expects that a view looks as its golden does, of which there is one for each engine where it draws a map. */
async function looksAsItDid(pages: ElementPages, folder: string, view: View): Promise<void> {
  const {
    name,
    attributes,
    respond = ONE,
    size: [width, height] = [560, 360],
    root = 'lang="en-US"',
    does = [],
  } = view;
  pages.service.respond = respond;
  const style = `<style nonce="page">@font-face{font-family:Golden;src:url(inter-latin.woff2)}
@font-face{font-family:Golden;src:url(noto-sans-hebrew.woff2);unicode-range:U+590-5FF}
body{margin:0;--trips-map-font:Golden}service-trips-map{width:${width}px;height:${height}px}</style>`;
  const page = await pages.open(
    `${style}<service-trips-map ${pages.attributes({ ...LOCAL, ...attributes })}></service-trips-map>`,
    { viewport: { width, height }, deviceScaleFactor: 1, reducedMotion: 'reduce', hasTouch: width < 400, root },
  );
  await page.saw('map-load');
  if (respond !== REPAIR) await page.saw('trip-render');
  for (const act of does) await act(page);
  await page.page.evaluate(async () => {
    await Promise.all(['a', 'א'].map((letter) => document.fonts.load('14px Golden', letter)));
    const map = document.querySelector('service-trips-map')?.map;
    if (map && 'getStyle' in map) {
      await new Promise((resolve) => {
        map.once('idle', resolve);
        map.triggerRepaint();
      });
    }
  });
  const picture = await page.page.screenshot({ animations: 'disabled', caret: 'hide' });
  const { part, hint } = differenceFromGolden(join(folder, name), picture);
  expect(part, hint).toBeLessThanOrEqual(0.005);
  await page.close();
}

describe.each(enginesWith('mapbox-gl'))('%s', (engine) => {
  const pages = useGoldenPages(engine);
  test.each(VIEWS)('the view $name looks as it did', (view) => looksAsItDid(pages, engine, view));
});

describe('a static map', () => {
  const pages = useGoldenPages();
  const attributes = { 'map-type': 'static', 'map-style': null };
  test('looks as it did', () => looksAsItDid(pages, '', { name: 'static', attributes }));
});
