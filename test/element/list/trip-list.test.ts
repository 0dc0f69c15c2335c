import { describe, expect, test } from 'vitest';

import { enginesWith } from '../../browser/engines-with.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';
import { LINE } from '../../browser/element-site.ts';
import { pageOf, timedTrip, type TripsAnswer, wireTrip } from '../../browser/fake-trips-service.ts';

describe.each(enginesWith('maplibre-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);

  const THREE = [0, 1, 2].map((at) =>
    wireTrip(
      `trip-${at}`,
      LINE.map(([lon, lat]): [number, number] => [lon + at / 10, lat]),
      `2026-11-03T${String(8 + at).padStart(2, '0')}:02:00Z`,
    ),
  );

  /** Attributes of a list beside a picture, where nobody looks at the map: an engine takes a second to start. */
  const STILL = { 'map-type': 'static' };

  async function openList(changes: Readonly<Record<string, string | null>> = {}, width = 900): Promise<ElementPage> {
    pages.service.respond = () => pageOf(THREE);
    const page = await pages.openElement({ 'trip-list': '', ...changes }, { viewport: { width, height: 600 } });
    await page.saw('trip-render');
    return page;
  }

  /** Returns whether a trip's line is drawn again above the others, or gray with them. */
  function lineState({ page }: ElementPage, id: string): Promise<{ strong: boolean; faint: boolean }> {
    return page.evaluate((key) => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('getSource' in map)) throw new Error('No map');
      const emphasis = map.getSource('service-trips-emphasis')?.serialize() as unknown as
        | { data: { features: { properties: { key: string } }[] } }
        | undefined;
      const strong = emphasis?.data.features.some(({ properties }) => properties.key === key) ?? false;
      return { strong, faint: !strong && map.getPaintProperty('service-trips-line', 'line-color') === '#87909d' };
    }, id);
  }

  const rows = (page: ElementPage) => page.page.getByRole('navigation', { name: 'Trips' }).getByRole('listitem');

  test('is off by default', async () => {
    const page = await pages.openElement();
    await page.saw('trip-render');
    expect(await page.page.getByRole('navigation').count()).toBe(0);
    await page.close();
  });

  test('lists the trips with their times, lengths and durations in the reader’s words', async () => {
    const page = await openList(STILL);
    expect((await rows(page).allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      '8:02 – 8:12 AM 0.2 mi · 11 min',
      '9:02 – 9:12 AM 0.2 mi · 11 min',
      '10:02 – 10:12 AM 0.2 mi · 11 min',
    ]);
    expect(await page.page.locator('.list .day').allTextContents()).toEqual(['Tue, Nov 3']);
    expect(await page.page.locator('.list .sources').count()).toBe(0);
    const header = page.page.locator('.list header');
    expect((await header.innerText()).split(/\s+/).join(' ')).toBe('3 trips 0.5 mi · 32 min');
    await page.set('locale', 'de');
    await page.page.getByRole('navigation', { name: 'Fahrten' }).getByText('0,3 km · 11 Min.').first().waitFor();
    await page.close();
  });

  test('names trips by the places, streets or cities of their ends, below the days on which they started', async () => {
    const page = await openList(STILL);
    const ends = [
      { end: { place: { name: 'Home' } } },
      { start: { place: { name: 'Home' } }, end: { address: { street: 'Market Street', city: 'Linden' } } },
      { start: { address: { street: null, city: 'Linden' } }, end: { address: { street: null, city: 'Linden' } } },
    ];
    const named = ends.map(({ start = {}, end }, at) => {
      const trip = wireTrip(`trip-${at}`, LINE, `2026-11-0${3 + (at > 1 ? 1 : 0)}T08:02:00Z`);
      const { start_point, end_point } = trip;
      if (!start_point || !end_point) throw new Error('A trip has ends');
      return { ...trip, start_point: { ...start_point, ...start }, end_point: { ...end_point, ...end } };
    });
    pages.service.respond = () => pageOf(named);
    await page.page.evaluate(() => document.querySelector('service-trips-map')?.reload());
    await page.saw('trip-render', 2);
    expect(await rows(page).locator('b').allTextContents()).toEqual(['Home', 'Home → Market Street', 'Linden']);
    expect(await page.page.locator('.list .sources').allTextContents()).toEqual(['© GeoNames, OpenStreetMap']);
    expect(await page.page.locator('.list .day').allTextContents()).toEqual(['Tue, Nov 3', 'Wed, Nov 4']);
    await page.close();
  });

  test('counts no trips while they are loaded, and the map keeps its size where there is a replay', async () => {
    let answer: (trips: TripsAnswer) => void = () => {};
    pages.service.respond = () => new Promise((resolve) => (answer = resolve));
    const page = await pages.openElement({ 'trip-list': '', replay: '' }, { viewport: { width: 390, height: 700 } });
    const heightOfMap = () => page.page.locator('#map').evaluate(({ clientHeight }) => clientHeight);
    const handle = page.page.locator('.handle');
    await page.page.getByText('Loading trips…').last().waitFor();
    expect((await handle.innerText()).trim()).toBe('Trips');
    expect(await page.page.locator('[part=replay] output').innerText()).toBe('');
    const before = await heightOfMap();
    answer(pageOf([timedTrip('trip-1', LINE, [30, 40])]));
    await page.saw('trip-render');
    expect((await handle.innerText()).split(/\s+/).join(' ')).toBe('1 trip 0.2 mi · 11 min');
    expect(await heightOfMap()).toBe(before);
    await page.close();
  });

  test('a trip is chosen and given up again by the keyboard; the map shows it', async () => {
    const page = await openList();
    await rows(page).getByRole('button').first().focus();
    await page.page.keyboard.press('ArrowDown');
    await page.page.keyboard.press('Enter');
    const second = rows(page).nth(1).getByRole('button');
    expect(await second.getAttribute('aria-pressed')).toBe('true');
    expect(await lineState(page, 'trip-1')).toEqual({ strong: true, faint: false });
    expect(await lineState(page, 'trip-0')).toEqual({ strong: false, faint: true });
    const center = await page.page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      return map && 'getCenter' in map ? map.getCenter().lng : 0;
    });
    expect(center).toBeCloseTo(11.63, 2);
    await page.page.keyboard.press('Escape');
    expect(await second.getAttribute('aria-pressed')).toBe('false');
    expect(await lineState(page, 'trip-0')).toEqual({ strong: false, faint: false });
    await page.page.keyboard.press('End');
    expect(
      await rows(page)
        .nth(2)
        .getByRole('button')
        .evaluate((row) => row.matches(':focus')),
    ).toBe(true);
    await page.close();
  });

  test('pointing at a row lets its line stand out, and pointing at a line its row', async () => {
    const page = await openList();
    await rows(page).nth(2).hover();
    await expect.poll(() => lineState(page, 'trip-2')).toEqual({ strong: true, faint: false });
    const place = await page.page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('project' in map)) throw new Error('No map');
      const { x, y } = map.project([11.51, 48.11]);
      const { left, top } = map.getContainer().getBoundingClientRect();
      return [x + left, y + top] as const;
    });
    await page.page.mouse.move(...place);
    await page.page.locator('.list .hovered[data-key=trip-0]').waitFor();
    await expect.poll(() => lineState(page, 'trip-2')).toEqual({ strong: false, faint: false });
    await page.page.mouse.click(...place);
    expect(await rows(page).first().getByRole('button').getAttribute('aria-pressed')).toBe('true');
    await page.close();
  });

  test('takes a part of a wide element, up to 320 pixels', async () => {
    const page = await openList(STILL, 1600);
    expect(await page.page.locator('.list').evaluate((list) => list.getBoundingClientRect().width)).toBe(320);
    await page.close();
  });

  test('stands below the map where there is little width', async () => {
    const page = await openList({}, 390);
    const [list, map] = await Promise.all(['.list', '#map'].map((name) => page.page.locator(name).boundingBox()));
    expect(list?.y).toBeGreaterThanOrEqual((map?.y ?? 0) + (map?.height ?? 0));
    expect(list?.width).toBe(map?.width);
    await page.close();
  });

  test('is a sheet there: its handle opens it over the map, and to choose a trip or Escape closes it', async () => {
    const page = await openList({}, 390);
    const handle = page.page.locator('.handle');
    const heightOfMap = () => page.page.locator('#map').evaluate(({ clientHeight }) => clientHeight);
    const before = await heightOfMap();
    const isOpen = () => handle.getAttribute('aria-expanded');
    expect(await rows(page).first().isVisible()).toBe(false);
    await handle.click();
    expect(await isOpen()).toBe('true');
    const [period] = (await rows(page).nth(1).innerText()).split('\n');
    await rows(page).nth(1).getByRole('button').click();
    expect(await isOpen()).toBe('false');
    expect(await rows(page).first().isVisible()).toBe(false);
    expect(await handle.innerText()).toContain(period);
    expect(await lineState(page, 'trip-1')).toEqual({ strong: true, faint: false });
    expect(await handle.evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.page.keyboard.press('Enter');
    expect(await isOpen()).toBe('true');
    await page.page.keyboard.press('Escape');
    expect(await isOpen()).toBe('false');
    expect(await heightOfMap()).toBe(before);
    await page.close();
  });

  test('the sheet opens by a stroke up and closes by one down', async () => {
    const page = await openList(STILL, 390);
    // The handle would be elsewhere before the next stroke.
    await page.page.emulateMedia({ reducedMotion: 'reduce' });
    const handle = page.page.locator('.handle');
    for (const [by, isOpen] of [
      [-80, true],
      [-30, true],
      [80, false],
    ] as const) {
      const { x = 0, y = 0 } = (await handle.boundingBox()) ?? {};
      await page.page.mouse.move(x + 60, y + 20);
      await page.page.mouse.down();
      await page.page.mouse.move(x + 60, y + 20 + by, { steps: 4 });
      await page.page.mouse.up();
      await expect.poll(() => handle.getAttribute('aria-expanded')).toBe(String(isOpen));
    }
    await page.close();
  });

  test('on a static map the chosen trip is drawn alone, as large as the map is beside the list', async () => {
    const page = await openList(STILL);
    await rows(page).nth(1).getByRole('button').click();
    await expect.poll(() => pages.provider.requests.at(-1)?.match(/path-/g)?.length).toBe(1);
    const width = await page.page.locator('#map').evaluate(({ clientWidth }) => clientWidth);
    expect(pages.provider.requests.every((path) => path.includes(`/${width}x420`))).toBe(true);
    expect(await page.page.locator('#map img').getAttribute('alt')).toMatch(/^1 trip;/);
    await page.close();
  });
});
