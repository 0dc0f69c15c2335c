import { expect, test } from 'vitest';

import { useElementPages } from './element-page.ts';
import { pageOf, wireTrip } from './fake-trips-service.ts';

const pages = useElementPages();

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

test('an interactive map does evaluate mapbox-gl, so that the test above can fail', async () => {
  const page = await pages.openElement();
  await page.saw('map-load');
  expect(await page.page.evaluate(() => '__mapboxImport' in globalThis)).toBe(true);
  await page.close();
});

test('says how many trips have no room', async () => {
  const path = (trip: number): [number, number][] =>
    Array.from({ length: 12 }, (_, at) => [11 + Math.sin(at * trip) / 9, 48 + Math.cos(at * at * trip) / 9]);
  pages.service.respond = () =>
    pageOf(Array.from({ length: 400 }, (_, trip) => wireTrip(`trip-${trip}`, path(trip + 1))));
  const page = await pages.openElement({ 'map-type': 'static' });
  await page.saw('trip-render');
  await page.page.getByText(/^\d+ trips have no room on this image$/).waitFor();
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
  expect(await page.names()).toEqual(['mount', 'trip-loading true', 'trip-loading false', 'error']);
  await page.page.getByText('The map could not be shown').waitFor();
  await page.close();
});
