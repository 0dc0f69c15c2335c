import { afterAll, beforeAll, expect, test } from 'vitest';

import { ElementPages } from './element-page.ts';
import { pageOf, wireTrip } from './fake-trips-service.ts';

let pages: ElementPages;
beforeAll(async () => {
  pages = await ElementPages.start();
});
afterAll(() => pages.close());

test('a trip is loaded and drawn, and says so in order', async () => {
  pages.service.respond = () =>
    pageOf([
      wireTrip('trip-1', [
        [11.5, 48.1],
        [11.52, 48.12],
        [11.56, 48.13],
      ]),
    ]);
  const page = await pages.openElement();
  await page.saw('trip-render');
  expect(await page.names()).toEqual(['mount', 'trip-loading true', 'trip-loading false', 'map-load', 'trip-render']);
  await page.page.screenshot({ path: '/tmp/shot-one.png' });
  await page.close();
});
