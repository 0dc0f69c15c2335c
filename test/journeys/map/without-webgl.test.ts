import { describe, expect, test } from 'vitest';

import { ENGINES } from '../../browser/built-file.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';
import { pageOf, timedTrip, wireTrip } from '../../browser/fake-trips-service.ts';

/** Takes WebGL from a page, as a browser without it does. */
const NO_WEBGL = `<script nonce="page">
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (type, ...options) {
    return /webgl/.test(type) ? null : getContext.call(this, type, ...options);
  };
  OffscreenCanvas.prototype.getContext = () => null;
</script>`;

const NORTH: [number, number][] = [
  [11.5, 48.1],
  [11.5, 48.2],
];
const EAST: [number, number][] = [
  [11.4, 48.1],
  [11.5, 48.11],
  [11.7, 48.1],
];

describe.each(ENGINES)('%s', (engine) => {
  const pages = useElementPages(engine);

  const open = (changes: Readonly<Record<string, string>> = {}): Promise<ElementPage> =>
    pages.open(`${NO_WEBGL}<service-trips-map ${pages.attributes(changes)}></service-trips-map>`);

  /** The drawing that is shown. */
  const drawing = ({ page }: ElementPage): Promise<string> =>
    page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      return map instanceof HTMLImageElement ? decodeURIComponent(map.src) : '';
    });
  const linesIn = (svg: string): number => svg.match(/stroke-width="4.5"/g)?.length ?? 0;

  test('a browser without WebGL shows the lines, with their scale, in place of an error', async () => {
    const page = await open();
    await page.saw('trip-render');
    expect(await page.names()).toEqual(['mount', 'trip-loading true', 'trip-loading false', 'map-load', 'trip-render']);
    const svg = await drawing(page);
    expect(linesIn(svg)).toBe(1);
    expect(svg).toMatch(/>0.5 mi<.*>Lines only, without a map</);
    const image = page.page.locator('service-trips-map img');
    expect(await image.getAttribute('alt')).toMatch(/^1 trip; /);
    expect(await page.page.getByRole('alert').count()).toBe(0);
    await page.set('theme', 'dark');
    await expect.poll(() => drawing(page)).toContain('fill="#10161f"');
    await page.close();
  });

  test('a trip chosen in the list is drawn alone; a replay is not offered', async () => {
    pages.service.respond = () => pageOf([timedTrip('trip-1', EAST, [20, 30, 20]), wireTrip('trip-2', NORTH)]);
    const page = await open({ 'trip-list': '', replay: '', 'color-by': 'speed' });
    await page.saw('trip-render');
    expect(linesIn(await drawing(page))).toBe(2);
    await page.page.locator('.handle').click();
    await page.page.locator('.list li button').nth(1).click();
    await expect.poll(async () => linesIn(await drawing(page))).toBe(1);
    expect(await page.page.locator('service-trips-map [part~=replay], service-trips-map [part~=legend]').count()).toBe(
      0,
    );
    await page.close();
  });
});
