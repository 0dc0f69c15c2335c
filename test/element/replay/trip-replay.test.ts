import { describe, expect, test } from 'vitest';

import { PROFILE_PARTS } from '../../../element/replay/trip-replay.ts';
import { enginesWith } from '../../browser/engines-with.ts';
import { type ElementPage, type PageOptions, useElementPages } from '../../browser/element-page.ts';
import { pageOf, timedTrip } from '../../browser/fake-trips-service.ts';

describe.each(enginesWith('maplibre-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);

  /** Due north, a fix every ten seconds, so that latitude tells the time. */
  const NORTH = Array.from({ length: 61 }, (_, at): [number, number] => [11.5, 48 + at / 1000]);

  async function openReplay(options: PageOptions = {}): Promise<ElementPage> {
    pages.service.respond = () =>
      pageOf([
        {
          ...timedTrip(
            'trip-1',
            NORTH,
            NORTH.map(() => 30),
          ),
          stops: [],
        },
      ]);
    const page = await pages.openElement({ replay: '' }, options);
    await page.saw('trip-render');
    return page;
  }

  const slider = (page: ElementPage) => page.page.getByRole('slider', { name: 'Moment' });
  const played = async (page: ElementPage): Promise<number> => Number(await slider(page).inputValue());

  /** Counts the animation frames that are asked for from now on. */
  function countFrames({ page }: ElementPage): Promise<void> {
    return page.evaluate(() => {
      const request = globalThis.requestAnimationFrame;
      Object.assign(globalThis, { frames: 0 });
      globalThis.requestAnimationFrame = (callback) => {
        Object.assign(globalThis, { frames: Number(Reflect.get(globalThis, 'frames')) + 1 });
        return request(callback);
      };
    });
  }

  test('is off by default, and not there on a static map', async () => {
    pages.service.respond = () => pageOf([timedTrip('trip-1', NORTH, [])]);
    const page = await pages.openElement();
    await page.saw('trip-render');
    expect(await page.page.locator('[part=replay]').count()).toBe(0);
    await page.set('map-type', 'static');
    await page.set('replay', '');
    await page.saw('trip-render', 2);
    expect(await page.page.locator('[part=replay]').count()).toBe(0);
    await page.close();
  });

  test('plays at the chosen rate, pauses, and names the moment and the speed', async () => {
    const page = await openReplay();
    expect(await page.page.locator('[part=vehicle]').count()).toBe(0);
    for (const rate of [2, 4, 0.25, 0.5, 1, 2, 4]) {
      await page.page.getByRole('button', { name: 'Rate' }).click();
      await page.page.getByRole('button', { name: `Rate: ${rate}×` }).waitFor();
    }
    await page.page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => played(page)).toBeGreaterThan(20);
    expect(await page.page.locator('[part=vehicle]').count()).toBe(1);
    await page.page.getByRole('button', { name: 'Pause' }).click();
    const at = await played(page);
    await page.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(await played(page)).toBe(at);
    expect(await slider(page).getAttribute('aria-valuetext')).toMatch(/^8:0\d:\d\d\sAM$/);
    await page.page.locator('[part=replay]').getByText('30 mph').waitFor();
    await page.close();
  });

  test('leaves a close view, from which a button leads back to the whole route', async () => {
    const page = await openReplay();
    const zoom = () =>
      page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map')?.map;
        return map && 'getZoom' in map ? map.getZoom() : 0;
      });
    const whole = await zoom();
    const back = page.page.getByRole('button', { name: 'Show the whole route' });
    expect(await back.count()).toBe(0);
    await page.page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(zoom).toBeGreaterThan(whole + 0.1);
    await back.click();
    await back.waitFor({ state: 'hidden' });
    expect(await zoom()).toBeCloseTo(whole, 5);
    expect(await page.page.getByRole('button', { name: 'Follow the vehicle' }).getAttribute('aria-pressed')).toBe(
      'false',
    );
    await page.close();
  });

  test('tells the day and, in the list and by its color, the trip of the vehicle', async () => {
    pages.service.respond = () =>
      pageOf(
        [3, 4].map((day) => {
          const start = `2026-11-0${day}T08:02:00Z`;
          return { ...timedTrip(`trip-${day}`, NORTH, [], start), stops: [] };
        }),
      );
    const page = await pages.openElement({ replay: '', 'trip-list': '' }, { viewport: { width: 900, height: 480 } });
    await page.saw('trip-render');
    const marked = page.page.locator('.list [aria-current=true]');
    expect(await marked.count()).toBe(0);
    const ends = [
      [10, 'trip-3', 'Nov 3'],
      [Number(await slider(page).getAttribute('max')) - 10, 'trip-4', 'Nov 4'],
    ] as const;
    const colors = new Set<string>();
    for (const [second, trip, day] of ends) {
      await slider(page).fill(String(Math.round(second)));
      await expect.poll(() => marked.getAttribute('data-key')).toBe(trip);
      expect(await slider(page).getAttribute('aria-valuetext')).toMatch(day);
      await page.page.locator('[part=replay] output').getByText(day).waitFor();
      colors.add(await page.page.locator('.vehicle circle').evaluate((circle) => getComputedStyle(circle).fill));
    }
    expect(colors.size).toBe(2);
    await page.close();
  });

  test('shows the speeds, and under the pointer the vehicle at that moment', async () => {
    const page = await openReplay();
    const speeds = page.page.locator('[part=speeds]');
    const box = await speeds.boundingBox();
    await page.page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 5);
    await page.page
      .locator('[part=replay] output')
      .getByText(/8:1[23]:/)
      .waitFor();
    await page.page.locator('[part=vehicle].guessed').waitFor();
    expect(await played(page)).toBe(0);
    await page.page.mouse.down();
    expect(await played(page)).toBeCloseTo(600, -1);
    await page.page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 4, (box?.y ?? 0) - 40);
    await page.page.mouse.up();
    expect(await played(page)).toBeCloseTo(300, -1);
    expect(await slider(page).evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThanOrEqual(24);
    await page.page.mouse.move(5, 5);
    expect(await page.page.locator('[part=vehicle].guessed').count()).toBe(0);
    await page.close();
  });

  test('of a replay that is paused the map shows the vehicle, beside a moment at the pointer and where it is moved to', async () => {
    const page = await openReplay();
    const inMap = () =>
      page.page.evaluate(() => {
        const root = document.querySelector('service-trips-map')?.shadowRoot;
        const map = root?.querySelector('#map')?.getBoundingClientRect() ?? new DOMRect();
        const vehicles = [...(root?.querySelectorAll('[part=vehicle]') ?? [])];
        return vehicles.map((vehicle) => {
          const { top, bottom } = vehicle.getBoundingClientRect();
          return [vehicle.classList.contains('guessed'), bottom > map.top && top < map.bottom];
        });
      });
    await page.page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => played(page)).toBeGreaterThan(5);
    await page.page.getByRole('button', { name: 'Pause' }).click();
    const box = await page.page.locator('[part=speeds]').boundingBox();
    await page.page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.9, (box?.y ?? 0) + 5);
    await page.page.locator('[part=vehicle].guessed').waitFor({ state: 'attached' });
    expect((await inMap()).toSorted()).toEqual([
      [false, true],
      [true, false],
    ]);
    await page.page.mouse.down();
    await page.page.mouse.up();
    await page.page.mouse.move(5, 5);
    await expect.poll(inMap).toEqual([[false, true]]);
    await page.close();
  });

  test('a pointer on the line sees time and speed there, and where that is among the speeds', async () => {
    const page = await openReplay();
    const place = await page.page.evaluate(async () => {
      // The map takes the size that the panel leaves it in the frame after.
      for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
      const element = document.querySelector('service-trips-map');
      const map = element?.map;
      const { left, top } = element?.shadowRoot?.querySelector('#map')?.getBoundingClientRect() ?? new DOMRect();
      const { x, y } = map && 'project' in map ? map.project([11.5, 48.015]) : { x: 0, y: 0 };
      return { x: left + x, y: top + y };
    });
    await page.page.mouse.move(place.x + 40, place.y);
    await page.page.mouse.move(place.x, place.y);
    const tooltip = page.page.locator('[part=tooltip]');
    await expect.poll(() => tooltip.textContent()).toMatch(/^8:04:[23]\d\sAM · 30 mph$/);
    const marked = await page.page.locator('[part=speeds] line').getAttribute('x1');
    expect(Number(marked) / PROFILE_PARTS).toBeCloseTo(150 / 1200, 2);
    await page.page.mouse.move(place.x + 100, place.y);
    await expect.poll(() => tooltip.count()).toBe(0);
    await page.close();
  });

  test('the slider is moved by the keyboard, and the vehicle with it', async () => {
    const page = await openReplay();
    await slider(page).focus();
    await page.page.keyboard.press('End');
    const last = await played(page);
    expect(last).toBe(600 + 600);
    await page.page.keyboard.press('Home');
    await page.page.keyboard.press('ArrowRight');
    expect(await played(page)).toBe(1);
    await page.close();
  });

  test('follows the vehicle until the reader moves the map', async () => {
    const page = await openReplay();
    const center = (): Promise<number> =>
      page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map')?.map;
        return map && 'getCenter' in map ? map.getCenter().lat : 0;
      });
    await page.page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(center).toBeCloseTo(48, 2);
    const follow = page.page.getByRole('button', { name: 'Follow the vehicle' });
    expect(await follow.getAttribute('aria-pressed')).toBe('true');
    await page.page.locator('canvas').first().hover();
    await page.page.mouse.down();
    await page.page.mouse.move(100, 100, { steps: 5 });
    await page.page.mouse.up();
    await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('false');
    await page.close();
  });

  test.each([
    ['is hidden', (element: HTMLElement) => element.setAttribute('hidden', '')],
    ['has left the document', (element: HTMLElement) => element.remove()],
  ])('asks for no frame once the element %s', async (_, leave) => {
    const page = await openReplay();
    await countFrames(page);
    await page.page.getByRole('button', { name: 'Play' }).click();
    await page.page.waitForFunction(() => Number(Reflect.get(globalThis, 'frames')) > 3);
    await page.page.locator('service-trips-map').evaluate(leave);
    const frames = (): Promise<number> =>
      page.page.evaluate(async () => {
        const before = Number(Reflect.get(globalThis, 'frames'));
        await new Promise((resolve) => setTimeout(resolve, 200));
        return Number(Reflect.get(globalThis, 'frames')) - before;
      });
    // The map itself still draws what was begun.
    await expect.poll(frames).toBe(0);
    await page.close();
  });

  test('with less motion the vehicle moves in steps', async () => {
    const page = await openReplay({ reducedMotion: 'reduce' });
    const steps = await page.page.evaluate(async () => {
      const root = document.querySelector('service-trips-map')?.shadowRoot;
      root?.querySelector<HTMLElement>('[part=replay] button')?.click();
      const seen = new Set<string>();
      const until = performance.now() + 900;
      while (performance.now() < until) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const vehicle = root?.querySelector<HTMLElement>('[part=vehicle]');
        if (vehicle) seen.add(vehicle.style.transform);
      }
      return seen.size;
    });
    expect(steps).toBeLessThanOrEqual(2);
    await page.close();
  });

  test('the vehicle is on the map that takes the place of another', async () => {
    const page = await openReplay();
    await slider(page).press('ArrowRight');
    await page.page.locator('[part=vehicle]').waitFor();
    await page.set('map-provider-access-token', 'pk.other');
    await page.saw('trip-render', 2);
    expect(await page.page.locator('[part=vehicle]').count()).toBe(1);
    await page.close();
  });
});
