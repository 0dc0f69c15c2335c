import { expect, test } from 'vitest';

import { useElementPages } from '../../browser/element-page.ts';
import { pageOf, wireTrip } from '../../browser/fake-trips-service.ts';

const pages = useElementPages();

/** More trips than an image's address can hold. */
const MANY = Array.from({ length: 120 }, (_, trip) =>
  wireTrip(
    `trip-${trip}`,
    Array.from({ length: 12 }, (_, at): [number, number] => [
      11 + Math.sin(at * trip) / 9,
      48 + Math.cos(at * at * trip) / 9,
    ]),
  ),
);

test('is one image with path and pins, without mapbox-gl', async () => {
  const page = await pages.openElement({ 'map-type': 'static' }, { deviceScaleFactor: 2 });
  await page.saw('trip-render');
  expect(await page.names()).toEqual(['mount', 'trip-loading true', 'trip-loading false', 'map-load', 'trip-render']);
  expect((await page.events()).at(-1)).toEqual({ type: 'trip-render', detail: 'img' });
  expect(pages.provider.requests).toHaveLength(1);
  expect(pages.provider.requests[0]).toMatch(
    /^\/styles\/v1\/mapbox\/streets-v12\/static\/path-5\+2563eb-0\.9\(.+\),pin-s-a.+,pin-s-b.+\/auto\/592x420@2x\?access_token=pk\.test/,
  );
  expect(await page.page.evaluate(() => '__mapboxImport' in globalThis)).toBe(false);
  expect(
    await page.page.evaluate(() => document.querySelector('service-trips-map')?.shadowRoot?.querySelector('canvas')),
  ).toBeNull();
  await page.close();
});

test('says how many trips do not fit', async () => {
  pages.service.respond = () => pageOf(MANY);
  const page = await pages.openElement({ 'map-type': 'static' });
  await page.saw('trip-render');
  await page.page.getByText(/^\d+ trips do not fit on this image$/).waitFor();
  await page.close();
});

test('shows the fallback view when there is no trip data', async () => {
  const page = await pages.openElement({
    'map-type': 'static',
    'service-token': null,
    'default-center': '1,2',
    'default-zoom': '5',
  });
  await page.saw('map-load');
  expect(pages.provider.requests).toEqual([
    '/styles/v1/mapbox/streets-v12/static/1,2,5,0/592x420?access_token=pk.test',
  ]);
  expect(await page.names()).toEqual(['mount', 'auth-error', 'map-load']);
  await page.close();
});

test('an image that cannot be had is an error', async () => {
  const page = await pages.openElement({ 'map-type': 'static', 'map-provider-access-token': 'sk.wrong' });
  await page.saw('error');
  expect((await page.names()).slice(0, 4)).toEqual(['mount', 'trip-loading true', 'trip-loading false', 'error']);
  await page.page.getByText('The map could not be shown').waitFor();
  await page.close();
});

test('says what it shows, also when it opens after the trips were loaded', async () => {
  const page = await pages.openElement({ 'map-type': 'static', hidden: '' });
  await page.saw('trip-loading', 2);
  await page.set('hidden', null);
  await page.saw('trip-render');
  expect(await page.page.locator('#map img').getAttribute('alt')).toMatch(/^1 trip; 0\.2 mi/);
  await page.close();
});

test('an image that cannot be had in another theme is an error', async () => {
  const page = await pages.openElement({ 'map-type': 'static', theme: 'light' });
  await page.saw('trip-render');
  await page.page.route(/dark-v11/, (route) => route.abort());
  await page.set('theme', 'dark');
  await page.saw('error');
  expect((await page.events()).at(-1)?.detail).toEqual({ error: 'The map image could not be loaded' });
  await page.close();
});

test('is drawn anew for another size', async () => {
  const page = await pages.openElement({ 'map-type': 'static' });
  await page.saw('trip-render');
  await page.page.setViewportSize({ width: 400, height: 480 });
  await expect.poll(() => pages.provider.requests.at(-1)).toContain('/352x420?');
  await page.close();
});

// The interactive ones come last: without a graphics card, what a page with one leaves behind keeps the next waiting.

test('an interactive map does evaluate mapbox-gl, so that the first test can fail', async () => {
  const page = await pages.openElement();
  await page.saw('map-load');
  expect(await page.page.evaluate(() => '__mapboxImport' in globalThis)).toBe(true);
  await page.close();
});

test('the number of trips that do not fit is no longer shown once the map is interactive', async () => {
  pages.service.respond = () => pageOf(MANY);
  const page = await pages.openElement({ 'map-type': 'static' });
  await page.page.getByText(/do not fit/).waitFor();
  // The number stands before the image has been loaded; a map that replaces the image earlier takes away its event.
  await page.saw('trip-render');
  await page.set('map-type', null);
  await page.saw('trip-render', 2);
  expect(await page.page.getByText(/do not fit/).count()).toBe(0);
  await page.close();
});
