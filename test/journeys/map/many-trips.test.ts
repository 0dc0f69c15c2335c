import { describe, expect, test } from 'vitest';

import { ENGINES } from '../../browser/built-file.ts';
import { type ElementPage, LINE, useElementPages } from '../../browser/element-page.ts';
import { pageOf, wireTrip } from '../../browser/fake-trips-service.ts';

describe.each(ENGINES)('%s', (engine) => {
  const pages = useElementPages(engine);

  /** So many that their stops are circles: three of each trip. */
  const TRIPS = 61;

  async function openMany(changes: Readonly<Record<string, string | null>> = {}): Promise<ElementPage> {
    pages.service.respond = () =>
      pageOf(
        Array.from({ length: TRIPS }, (_, at) =>
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

  const stops = (page: ElementPage) => page.page.locator('[part~=stop]');

  function circles({ page }: ElementPage): Promise<number> {
    return page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('getSource' in map)) throw new Error('No map');
      const source = map.getSource('service-trips-stops')?.serialize() as unknown as {
        data: { features: { geometry: { coordinates: unknown[] } }[] };
      };
      return source.data.features.flatMap(({ geometry }) => geometry.coordinates).length;
    });
  }

  test('have circles, and one button that the arrow keys move through every stop', async () => {
    const page = await openMany();
    expect(await circles(page)).toBe(3 * TRIPS);
    expect(await stops(page).count()).toBe(1);
    await stops(page).focus();
    const focused = (): Promise<string | null> => stops(page).getAttribute('aria-label');
    expect(await focused()).toMatch(/^Start, .* \(1\/183\)$/);
    await page.page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^Stop, .* \(2\/183\)$/);
    await page.page.keyboard.press('End');
    expect(await focused()).toMatch(/^End, .* \(183\/183\)$/);
    expect(await stops(page).evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.page.keyboard.press('Enter');
    await page.page.getByRole('dialog', { name: /^End/ }).waitFor();
    await page.page.keyboard.press('Escape');
    expect(await stops(page).evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.page.keyboard.press('Home');
    expect(await focused()).toMatch(/\(1\/183\)$/);
    await page.close();
  });

  test('a circle is chosen by pointing, and the chosen trip has all of its buttons', async () => {
    const page = await openMany({ 'trip-list': '' });
    await page.page.locator('[data-key=trip-30]').click();
    await expect.poll(() => stops(page).count()).toBe(4);
    await page.page.getByRole('button', { name: 'All trips' }).click();
    await expect.poll(() => stops(page).count()).toBe(1);
    const place = await page.page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('project' in map)) throw new Error('No map');
      const { x, y } = map.project([11.56 + 60 / 50, 48.13]);
      const { left, top } = map.getContainer().getBoundingClientRect();
      return [x + left, y + top] as const;
    });
    await page.page.mouse.click(...place);
    await page.page.getByRole('dialog', { name: /^End/ }).waitFor();
    await page.close();
  });
});
