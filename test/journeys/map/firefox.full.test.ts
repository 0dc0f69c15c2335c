import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import type { TripsMapEvents } from '../../../element/trips-map-events.ts';
import { ENGINES } from '../../browser/built-file.ts';
import type { SeenEvent } from '../../browser/element-page.ts';
import { ElementSite, LINE } from '../../browser/element-site.ts';
import { pageOf, timedTrip } from '../../browser/fake-trips-service.ts';
import { type Firefox, openFirefox } from '../../browser/firefox.ts';

const PANELS = { 'trip-list': '', 'color-by': 'speed', replay: '', 'reverse-geocode': '' };
const TRIPS = ['2026-11-03T08:02:00Z', '2026-11-03T17:30:00Z'].map((start, at) =>
  timedTrip(
    `trip-${at + 1}`,
    LINE.map(([lon, lat]) => [lon, lat + at * 0.02] as const),
    [30, 50],
    start,
  ),
);

let firefox: Firefox | string;
beforeAll(async () => {
  firefox = await openFirefox();
});
afterAll(async () => {
  if (typeof firefox === 'object') await firefox.close();
});
beforeEach(({ skip }) => skip(typeof firefox === 'string', String(firefox)));

/** Something inside of the element. */
const inside = (selector: string): string => `service-trips-map >>> ${selector}`;

/** Waits until something inside of the element can be seen, and looks at each frame, for which alone puppeteer looks into shadow roots. */
const sees = (page: Page, selector: string) => page.waitForSelector(inside(selector), { visible: true });

const saw = (page: Page, type: keyof TripsMapEvents) =>
  page.waitForFunction(
    (name) => (globalThis as unknown as { seen: SeenEvent[] }).seen.some((event) => event.type === name),
    {},
    type,
  );

/** The accessible name of what has the focus inside of the element. */
const focused = (page: Page) =>
  page.evaluate(() =>
    document.querySelector('service-trips-map')?.shadowRoot?.activeElement?.getAttribute('aria-label'),
  );

const attributeOf = (page: Page, selector: string, name: string) =>
  page.$eval(inside(selector), (element, attribute) => element.getAttribute(attribute), name);

describe.each(ENGINES)('Firefox with %s', (engine) => {
  const site = new ElementSite(engine);
  const complaints: string[] = [];
  beforeAll(() => site.start());
  afterAll(() => site.close());
  beforeEach(() => {
    site.reset();
    site.service.respond = () => pageOf(TRIPS);
    complaints.length = 0;
  });

  /** Opens a page with one element, which has drawn its trips. */
  async function openElement(changes: Readonly<Record<string, string>> = {}, root?: string): Promise<Page> {
    const page = await (firefox as Firefox).browser.newPage();
    onTestFinished(() => page.close());
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const body = `<service-trips-map ${site.attributes({ ...PANELS, ...changes })}></service-trips-map>`;
    await page.goto(site.addPage({ body, root }));
    await saw(page, 'map-load');
    await saw(page, 'trip-render');
    return page;
  }

  test('draws trips, whose list, popups and replay obey the keyboard, and complains of nothing', async () => {
    const page = await openElement();
    const drawn = await page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('queryRenderedFeatures' in map)) return 'no map';
      const lines = map.queryRenderedFeatures({ layers: ['service-trips-line'] });
      return [...new Set(lines.map(({ properties }) => properties?.key))].toSorted();
    });
    expect(drawn).toEqual(['trip-1', 'trip-2']);

    const rows = await page.$$(inside('[part=trip]'));
    expect(rows).toHaveLength(2);
    await rows[1]?.press('Enter');
    await sees(page, '[data-key=trip-2][aria-pressed=true]');

    const stop = await sees(page, '[part~=stop]');
    await stop?.focus();
    await page.keyboard.press('ArrowRight');
    const name = await focused(page);
    expect(name).toMatch(/^Stop, Nov 3, 2026, /);
    await page.keyboard.press('Enter');
    await sees(page, '[part=popup] .address:not(.pending)');
    expect(await page.$eval(inside('[part=popup]'), ({ textContent }) => textContent)).toMatch(
      /12 Test Street[\s\S]*10\u00a0min/,
    );
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('service-trips-map')?.shadowRoot?.querySelector('.popup'));
    expect(await focused(page)).toBe(name);

    const play = await sees(page, '[part=replay] button');
    await play?.press('Enter');
    await sees(page, '[part~=vehicle]');
    await page.waitForFunction(() => {
      const root = document.querySelector('service-trips-map')?.shadowRoot;
      return Number(root?.querySelector<HTMLInputElement>('.replay input')?.value) > 0;
    });
    await play?.press('Enter');
    expect(await attributeOf(page, '[part=replay] button', 'aria-label')).toBe('Play');
    expect(complaints).toEqual([]);
  });

  test('shows its dark theme, and is mirrored in a page from right to left', async () => {
    const page = await openElement({ theme: 'dark', 'map-style': 'local-style-dark.json' }, 'lang="he" dir="rtl"');
    const boxes = await page.evaluate(() => {
      const root = document.querySelector('service-trips-map')?.shadowRoot;
      return ['[class*="-ctrl-group"]', '.legend', '.list'].map((selector) => {
        const { left = 0, right = 0 } = root?.querySelector(selector)?.getBoundingClientRect() ?? {};
        return (left + right) / 2;
      });
    });
    expect(boxes).toEqual(boxes.toSorted((one, other) => one - other));
    expect(await page.$eval('service-trips-map', (element) => element.matches(':state(dark)'))).toBe(true);
    expect(complaints).toEqual([]);
  });
});
