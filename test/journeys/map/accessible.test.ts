import { describe, expect, test } from 'vitest';

import { axeViolations } from '../../browser/axe-violations.ts';
import { enginesWith } from '../../browser/engines-with.ts';
import { type ElementPage, type PageOptions, useElementPages } from '../../browser/element-page.ts';
import { LINE } from '../../browser/element-site.ts';
import {
  pageOf,
  rejection,
  STREAM,
  type TripsAnswer,
  type TripsCall,
  timedTrip,
} from '../../browser/fake-trips-service.ts';
import { runSize } from '../../services/run-size.ts';

const PANELS = { 'trip-list': '', 'color-by': 'speed', replay: '', fullscreen: '' };
const GERMAN = 'lang="de"';
const HEBREW = 'lang="he" dir="rtl"';

const respond = ({ operation }: TripsCall): TripsAnswer =>
  operation === 'ServiceTripsMap'
    ? pageOf(['08', '17'].map((hour) => timedTrip(`trip-${hour}`, LINE, [30, 50], `2026-11-03T${hour}:02:00Z`)))
    : { body: STREAM };

/** A state of the element: its attributes, what the service answers, and what the reader does until something can be seen. */
interface Situation {
  readonly attributes?: Readonly<Record<string, string | null>>;
  readonly respond?: () => TripsAnswer;
  readonly does?: (page: ElementPage) => Promise<void>;
  readonly part: string;
}

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'with all panels': { attributes: { ...PANELS, live: '' }, part: 'live' },
  'with its list open, or a chosen trip': {
    attributes: PANELS,
    does: async ({ page }) => {
      const handle = page.locator('[part=trip-list] .handle');
      if (await handle.isVisible()) await handle.press('Enter');
      else await page.locator('[part=trip]').nth(1).press('Enter');
    },
    part: 'trip',
  },
  'with a popup': {
    attributes: { 'reverse-geocode': '' },
    does: async ({ page }) => {
      await page.locator('[part~=stop]').press('Enter');
      await page.getByText('12 Test Street').waitFor();
    },
    part: 'popup',
  },
  'of an image': { attributes: { 'map-type': 'static', 'map-style': null, 'trip-list': '' }, part: 'image' },
  'without trips': { respond: () => pageOf([]), part: 'state-empty' },
  'after a failure': { respond: () => rejection(500, 'INTERNAL_SERVER_ERROR', 'Repaired'), part: 'state-error' },
  'without access': { respond: () => rejection(401, 'UNAUTHENTICATED', 'Expired'), part: 'state-sign-in' },
};

const SCREENS: readonly (PageOptions & { readonly width: number; readonly theme: 'light' | 'dark' })[] = [
  { width: 320, theme: 'dark', root: GERMAN },
  { width: 390, theme: 'light', root: HEBREW },
  { width: 1280, theme: 'dark', root: HEBREW },
  { width: 1280, theme: 'light' },
  { width: 390, theme: 'dark' },
  { width: 320, theme: 'light', root: GERMAN },
];

/** The situations on a screen: in a sample every sixth of them, another sixth on each screen. */
function situationsOn(screen: (typeof SCREENS)[number]): readonly [string, Situation][] {
  const all = Object.entries(SITUATIONS);
  const turn = SCREENS.indexOf(screen);
  return runSize(
    all.filter((_, at) => at % SCREENS.length === turn),
    all,
  );
}

describe.each(enginesWith('mapbox-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);

  test.each(SCREENS)('on a screen of $width pixels in $theme colors axe finds nothing on a map', async (screen) => {
    const { width, theme, root } = screen;
    const style = theme === 'dark' ? 'local-style-dark.json' : 'local-style.json';
    for (const [name, situation] of situationsOn(screen)) {
      pages.service.respond = situation.respond ?? respond;
      const attributes = pages.attributes({ 'map-style': style, theme, ...situation.attributes });
      const colors = theme === 'dark' ? 'background:#111;color:#eee' : '';
      const page = await pages.open(
        `<style nonce="page">body{${colors}}</style><main><h1>Trips</h1><service-trips-map ${attributes}></service-trips-map></main>`,
        { viewport: { width, height: 560 }, reducedMotion: 'reduce', hasTouch: width < 400, ...(root ? { root } : {}) },
      );
      await page.saw('map-load');
      if (!situation.respond) await page.saw('trip-render');
      await situation.does?.(page);
      await page.page.locator(`[part~=${situation.part}]`).first().waitFor();
      expect(await axeViolations(page.page), name).toEqual([]);
      expect(await page.page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
      await page.close();
    }
  });
});
