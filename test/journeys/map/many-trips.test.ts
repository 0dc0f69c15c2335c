import { describe, expect, test } from 'vitest';

import { enginesWith } from '../../browser/engines-with.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';
import { LINE } from '../../browser/element-site.ts';
import { pageOf, wireTrip } from '../../browser/fake-trips-service.ts';

describe.each(enginesWith('mapbox-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);

  /** More than have flags, each with three marked places. */
  const TRIPS = 61;

  async function openMany(trips: number, changes: Readonly<Record<string, string | null>> = {}): Promise<ElementPage> {
    pages.service.respond = () =>
      pageOf(
        Array.from({ length: trips }, (_, at) =>
          wireTrip(
            `trip-${at}`,
            LINE.map(([lon, lat]): [number, number] => [lon + at / 50, lat]),
          ),
        ),
      );
    const page = await pages.openElement(changes, { viewport: { width: 900, height: 600 } });
    await page.saw('trip-render');
    return page;
  }

  const cursor = (page: ElementPage) => page.page.locator('[part~=stop]');
  const focused = (page: ElementPage): Promise<string | null> => cursor(page).getAttribute('aria-label');

  /** Pixels of the window at a position. */
  function placeOf({ page }: ElementPage, position: [number, number]): Promise<[x: number, y: number]> {
    return page.evaluate((lonLat) => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('project' in map)) throw new Error('No map');
      const { x, y } = map.project(lonLat);
      const { left, top } = map.getContainer().getBoundingClientRect();
      return [x + left, y + top];
    }, position);
  }

  /** Waits until the map has drawn all that it has. */
  function idle({ page }: ElementPage): Promise<void> {
    return page.evaluate(async () => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('once' in map)) throw new Error('No map');
      await new Promise((resolve) => {
        map.once('idle', resolve);
        map.triggerRepaint();
      });
    });
  }

  /** Kinds of the stops that the map draws, each with the number of its features, and the stops in clusters. */
  function drawn({ page }: ElementPage): Promise<Record<string, number>> {
    return page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('getSource' in map)) throw new Error('No map');
      const counts: Record<string, number> = { clustered: 0 };
      for (const id of ['service-trips-flags', 'service-trips-stops', 'service-trips-clusters']) {
        const found = map.queryRenderedFeatures({ layers: [id] }) as unknown as {
          properties: Record<string, unknown>;
        }[];
        const seen = new Map(found.map(({ properties }) => [properties.at ?? properties.cluster_id, properties]));
        for (const { kind, point_count } of seen.values()) {
          if (point_count) counts.clustered = Number(point_count) + (counts.clustered ?? 0);
          else counts[String(kind)] = (counts[String(kind)] ?? 0) + 1;
        }
      }
      return counts;
    });
  }

  /** Names of the layers that are hidden, without `service-trips-`: an engine works for each of the others in each frame. */
  function hidden({ page }: ElementPage): Promise<string[]> {
    return page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('getStyle' in map)) throw new Error('No map');
      const layers = map.getStyle()?.layers.filter((layer) => layer.layout?.visibility === 'none') ?? [];
      return layers.map(({ id }) => id.replace('service-trips-', ''));
    });
  }

  test('one button reaches every stop, and the arrow keys lead from trip to trip', async () => {
    const page = await openMany(TRIPS);
    expect(await cursor(page).count()).toBe(1);
    await cursor(page).focus();
    expect(await focused(page)).toMatch(/^Start, .* \(Trip 1\/61, 1\/3\)$/);
    await page.page.keyboard.press('ArrowRight');
    expect(await focused(page)).toMatch(/^Stop, .* \(Trip 1\/61, 2\/3\)$/);
    await page.page.keyboard.press('ArrowDown');
    expect(await focused(page)).toMatch(/^Start, .* \(Trip 2\/61, 1\/3\)$/);
    await page.page.keyboard.press('End');
    expect(await focused(page)).toMatch(/^End, .* \(Trip 61\/61, 3\/3\)$/);
    expect(await cursor(page).evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.page.keyboard.press('Enter');
    await page.page.getByRole('dialog', { name: /^End/ }).waitFor();
    await page.page.keyboard.press('Escape');
    expect(await cursor(page).evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.page.keyboard.press('Home');
    expect(await focused(page)).toMatch(/1\/61, 1\/3\)$/);
    await page.close();
  });

  test('of many trips the lines alone are drawn, thin and translucent; a chosen trip has all of its own', async () => {
    const page = await openMany(TRIPS, { 'trip-list': '' });
    await idle(page);
    expect(await drawn(page)).toEqual({ clustered: 0 });
    const look = () =>
      page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map')?.map;
        if (!map || !('getPaintProperty' in map)) throw new Error('No map');
        return (['line-width', 'line-opacity'] as const).map((name) =>
          map.getPaintProperty('service-trips-line', name),
        );
      });
    expect(await look()).toEqual([2.5, 0.7]);
    await page.page.locator('[data-key=trip-30]').click();
    await idle(page);
    expect(await drawn(page)).toEqual({ start: 1, stop: 1, end: 1, clustered: 0 });
    expect(await hidden(page)).toEqual(['clustered-stops', 'cluster-places', 'clusters']);
    expect(await focused(page)).toMatch(/^Start, .*Trip 31\/61/);
    await page.close();
  });

  test.runIf(engine === 'mapbox-gl')('a start is above the logo of the provider', async () => {
    const [from, until] = [
      [11.5, 48.1],
      [11.53, 48.14],
    ] as [[number, number], [number, number]];
    pages.service.respond = () => pageOf([wireTrip('trip-1', [from, until])]);
    const page = await pages.openElement(
      { style: 'width:390px;height:420px' },
      { viewport: { width: 800, height: 600 } },
    );
    await page.saw('trip-render');
    const [, y] = await placeOf(page, from);
    const logo = await page.page.locator('.mapboxgl-ctrl-logo').boundingBox();
    expect(y + 13).toBeLessThan(logo?.y ?? 0);
    await page.close();
  });

  test('the button is at its stop once it has the focus, or the map rests', async () => {
    const page = await openMany(TRIPS);
    await idle(page);
    const place = async (): Promise<number> => (await cursor(page).boundingBox())?.x ?? Number.NaN;
    const shift = (focus: boolean): Promise<void> =>
      page.page.evaluate((focuses) => {
        const element = document.querySelector('service-trips-map');
        if (!element?.map || !('panBy' in element.map)) throw new Error('No map');
        element.map.panBy([40, 0], { duration: 0 });
        if (focuses) element.shadowRoot?.querySelector<HTMLElement>('[part~=stop]')?.focus();
      }, focus);
    const before = await place();
    await shift(false);
    await idle(page);
    expect(await place()).toBeCloseTo(before - 40, 0);
    await shift(true);
    expect(await place()).toBeCloseTo(before - 80, 0);
    await page.close();
  });

  test('without a list a click on a line chooses its trip, and Escape or a click beside it gives it up', async () => {
    const page = await openMany(3);
    const chosen = () =>
      page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map')?.map;
        return map && 'getPaintProperty' in map && map.getPaintProperty('service-trips-line', 'line-width') === 2;
      });
    const cursorAt = async (position: readonly [number, number]): Promise<string> => {
      const [x, y] = await placeOf(page, [...position]);
      await page.page.mouse.move(x - 30, y);
      await page.page.mouse.move(x, y);
      return page.page.locator('canvas').evaluate((canvas) => canvas.style.cursor);
    };
    const line = [11.51, 48.11] as const;
    await idle(page);
    await expect.poll(() => cursorAt(line)).toBe('pointer');
    await page.page.mouse.down();
    await page.page.mouse.up();
    await expect.poll(chosen).toBe(true);
    await page.page.keyboard.press('Escape');
    await expect.poll(chosen).toBe(false);
    await idle(page);
    await page.page.mouse.click(...(await placeOf(page, [...line])));
    await expect.poll(chosen).toBe(true);
    await idle(page);
    await page.page.mouse.click(...(await placeOf(page, [11.51, 48.125])));
    await expect.poll(chosen).toBe(false);
    pages.service.respond = () => pageOf([wireTrip('trip-1', LINE)]);
    await page.page.evaluate(() => document.querySelector('service-trips-map')?.reload());
    await page.saw('trip-render', 2);
    await idle(page);
    expect(await cursorAt(line)).toBe('');
    await page.close();
  });

  test('a few trips have their flags, and the chosen one takes the click where trips overlap', async () => {
    const page = await openMany(1);
    pages.service.respond = () =>
      pageOf([0, 1, 2].map((at) => wireTrip(`trip-${at}`, LINE, `2026-11-0${at + 1}T08:00Z`)));
    await page.set('trip-list', '');
    await page.page.evaluate(() => document.querySelector('service-trips-map')?.reload());
    await page.saw('trip-render', 2);
    await idle(page);
    expect(await drawn(page)).toEqual({ start: 3, end: 3, clustered: 3 });
    const zoom = (): Promise<number> =>
      page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map')?.map;
        return map && 'getZoom' in map ? map.getZoom() : 0;
      });
    const whole = await zoom();
    await page.page.mouse.click(...(await placeOf(page, LINE[1] ?? [0, 0])));
    await expect.poll(zoom).toBeGreaterThan(whole + 1.9);
    await page.page.locator('[data-key=trip-1]').click();
    await idle(page);
    expect(await drawn(page)).toEqual({ start: 1, stop: 1, end: 1, clustered: 0 });
    const [x, y] = await placeOf(page, LINE[0] ?? [0, 0]);
    await page.page.mouse.click(x, y);
    await page.page.getByRole('dialog', { name: /^Start, Nov 2, 2026/ }).waitFor();
    await page.page.keyboard.press('Escape');
    expect(await focused(page)).toMatch(/^Start, Nov 2, .*Trip 2\/3, 1\/3/);
    await page.close();
  });

  test('where the flag of a trip stands no cluster is drawn, and the keyboard reaches its stops', async () => {
    const stopAt = (lon: number, lat: number) => ({
      ...{ arrival: '2026-11-03T08:03:00Z', departure: '2026-11-03T08:10:00Z' },
      point: { lat, lon },
    });
    const around = [LINE[2], LINE[1]].flatMap((at) => [
      stopAt(at?.[0] ?? 0, at?.[1] ?? 0),
      stopAt(0.0004 + (at?.[0] ?? 0), at?.[1] ?? 0),
    ]);
    pages.service.respond = () =>
      pageOf(['trip-1', 'trip-2'].map((key) => ({ ...wireTrip(key, LINE), stops: around })));
    const page = await pages.openElement({}, { viewport: { width: 900, height: 600 } });
    await page.saw('trip-render');
    await idle(page);
    await expect.poll(() => drawn(page)).toEqual({ start: 2, end: 2, clustered: 4 });
    await cursor(page).focus();
    for (let time = 0; time < 4; time++) await page.page.keyboard.press('ArrowRight');
    expect(await focused(page)).toMatch(/^Stop, .* \(Trip 1\/2, 5\/6\)$/);
    await page.close();
  });
});
