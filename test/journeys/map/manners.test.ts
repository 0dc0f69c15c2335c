import { describe, expect, test } from 'vitest';

import { ENGINES } from '../../browser/built-file.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';

describe.each(ENGINES)('%s', (engine) => {
  const pages = useElementPages(engine);

  const zoomOf = ({ page }: ElementPage): Promise<number> =>
    page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      return map && 'getZoom' in map ? map.getZoom() : 0;
    });
  const isMoving = ({ page }: ElementPage): Promise<boolean> =>
    page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      return map !== null && map !== undefined && 'isMoving' in map && map.isMoving();
    });
  const scrolled = ({ page }: ElementPage): Promise<number> => page.evaluate(() => scrollY);

  /** A page that is higher than the window, with a map at its top. */
  async function openHighPage(changes: Readonly<Record<string, string>> = {}): Promise<ElementPage> {
    const element = `<service-trips-map lang="de" ${pages.attributes(changes)}></service-trips-map>`;
    const page = await pages.open(`${element}<div style="height:3000px"></div>`);
    await page.saw('trip-render');
    await page.page.locator('canvas').first().hover();
    return page;
  }

  test('in a page that scrolls the wheel scrolls it and says how to zoom; with Ctrl it zooms', async () => {
    const page = await openHighPage();
    const before = await zoomOf(page);
    await page.page.mouse.wheel(0, 20);
    await expect.poll(() => scrolled(page)).toBe(20);
    await page.page.getByText('Zum Zoomen der Karte Ctrl + Scrollen').waitFor();
    expect(await zoomOf(page)).toBe(before);
    await page.page.keyboard.down('Control');
    await page.page.mouse.wheel(0, -200);
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(before);
    expect(await scrolled(page)).toBe(20);
    await page.close();
  });

  test('cooperative-gestures="off" gives the wheel to the map, also later', async () => {
    const page = await openHighPage();
    const before = await zoomOf(page);
    await page.set('cooperative-gestures', 'off');
    await page.page.mouse.wheel(0, -200);
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(before);
    expect(await scrolled(page)).toBe(0);
    await page.close();
  });

  test('in a page that does not scroll the wheel zooms, unless cooperative-gestures is "on"', async () => {
    const page = await pages.openElement({ style: 'height:300px' });
    await page.saw('trip-render');
    await page.page.locator('canvas').first().hover();
    const before = await zoomOf(page);
    await page.page.mouse.wheel(0, -200);
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(before);
    await expect.poll(() => isMoving(page)).toBe(false);
    await page.set('cooperative-gestures', 'on');
    await page.page.mouse.wheel(0, -200);
    await page.page.getByText('Use Ctrl + scroll to zoom the map').waitFor();
    await page.close();
  });

  test('fullscreen shows a button that enlarges the whole element, in the words of the reader', async () => {
    const page = await pages.openElement({ locale: 'de', 'trip-list': '' });
    await page.saw('trip-render');
    const button = page.page.getByRole('button', { name: 'Vollbild', exact: true });
    expect(await button.count()).toBe(0);
    await page.set('fullscreen', '');
    await button.click();
    await page.page.waitForFunction(() => document.fullscreenElement?.localName === 'service-trips-map');
    expect(await page.page.locator('service-trips-map').boundingBox()).toMatchObject({ x: 0, y: 0 });
    await page.page.getByRole('button', { name: 'Vollbild beenden' }).click();
    await page.page.waitForFunction(() => document.fullscreenElement === null);
    await page.set('fullscreen', null);
    await expect.poll(() => button.count()).toBe(0);
    await page.close();
  });
});
