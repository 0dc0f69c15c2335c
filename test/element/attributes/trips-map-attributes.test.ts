import { describe, expect, test } from 'vitest';

import { enginesWith } from '../../browser/engines-with.ts';
import { useElementPages } from '../../browser/element-page.ts';
import { LINE } from '../../browser/element-site.ts';

describe.each(enginesWith('mapbox-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);

  test('are reflected properties; one that is taken away leaves its default', async () => {
    const page = await pages.open('<service-trips-map></service-trips-map>');
    const values = await page.page.evaluate(async () => {
      const element = document.querySelector('service-trips-map') as HTMLElementTagNameMap['service-trips-map'];
      const defaults = [
        element.mapType,
        element.defaultCenter,
        element.defaultZoom,
        element.reverseGeocode,
        element.tripKey,
      ];
      const bare = element.getAttributeNames();
      Object.assign(element, { mapType: 'static', defaultZoom: 7, reverseGeocode: true, tripKey: 't' });
      await element.updateComplete;
      const reflected = ['map-type', 'default-zoom', 'reverse-geocode', 'trip-key'].map((name) =>
        element.getAttribute(name),
      );
      for (const name of ['map-type', 'default-zoom', 'trip-key']) element.removeAttribute(name);
      element.setAttribute('reverse-geocode', 'false');
      return {
        defaults,
        bare,
        reflected,
        after: [element.mapType, element.defaultZoom, element.reverseGeocode, element.tripKey],
      };
    });
    expect(values).toEqual({
      defaults: ['interactive', '-98.5795,39.828175', 3, false, null],
      bare: [],
      reflected: ['static', '7', '', 't'],
      after: ['interactive', 3, false, null],
    });
    await page.close();
  });

  test('a new style keeps the trips, and a custom one is not asked of the provider', async () => {
    const page = await pages.openElement({ 'map-style': 'local-style.json' });
    await page.saw('trip-render');
    const before = pages.provider.requests.length;
    await page.page.evaluate(() => {
      const element = document.querySelector('service-trips-map');
      const map = element?.map;
      if (map && 'once' in map)
        map.once('style.load', () => map.once('idle', () => element?.setAttribute('data-idle', '')));
      element?.setAttribute('map-style', 'local-style-dark.json');
    });
    await page.page.locator('service-trips-map[data-idle]').waitFor();
    expect(await page.lines()).toEqual([{ key: 'trip-1', coordinates: LINE }]);
    expect(pages.provider.requests.length).toBe(before);
    await page.close();
  });

  test('theme changes map and controls immediately', async () => {
    const page = await pages.openElement({ theme: 'light' });
    await page.saw('trip-render');
    const casing = (): Promise<unknown> =>
      page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map')?.map;
        return map && 'getPaintProperty' in map ? map.getPaintProperty('service-trips-casing', 'line-color') : null;
      });
    expect(await casing()).toBe('#ffffff');
    const marker = (): Promise<string> =>
      page.page
        .locator('[part~=stop-start]')
        .evaluate((button) => (button as HTMLElement).style.getPropertyValue('--stop-color'));
    expect(await marker()).toBe('#2563eb');
    await page.set('theme', 'dark');
    await page.page.locator('[data-theme=dark]').waitFor();
    expect(await casing()).toBe('#0b1018');
    expect(await marker()).toBe('#6ea0ff');
    await page.set('theme', null);
    await page.page.emulateMedia({ colorScheme: 'light' });
    await page.page.locator('[data-theme=light]').waitFor();
    expect((await page.names()).slice(5)).toEqual([]);
    await page.close();
  });

  test('map-type changes the map and keeps the trips without loading them again', async () => {
    const page = await pages.openElement();
    await page.saw('trip-render');
    await page.set('map-type', 'static');
    await page.saw('trip-render', 2);
    await page.set('map-type', null);
    await page.saw('trip-render', 3);
    expect((await page.events()).filter(({ type }) => type === 'map-load').map(({ detail }) => detail)).toEqual([
      'map',
      'img',
      'map',
    ]);
    expect(pages.service.calls.length).toBe(1);
    expect(await page.lines()).toEqual([{ key: 'trip-1', coordinates: LINE }]);
    await page.close();
  });

  test('another locale leaves the card of a map that failed, in other words', async () => {
    const page = await pages.openElement({}, { csp: "worker-src 'none'" });
    await page.page.getByText('The map could not be shown').waitFor();
    await page.set('locale', 'de');
    await page.page.getByText('Die Karte konnte nicht angezeigt werden').waitFor();
    await page.close();
  });

  test('an invalid value is reported once, not at every change of the colour scheme', async () => {
    const page = await pages.openElement({ 'map-type': 'static', 'default-center': 'here' });
    await page.saw('error');
    await page.page.emulateMedia({ colorScheme: 'dark' });
    await page.page.locator('[data-theme=dark]').waitFor();
    expect((await page.names()).filter((name) => name === 'error')).toHaveLength(1);
    await page.set('default-center', '1,2');
    await page.set('default-center', 'there');
    await page.saw('error', 2);
    await page.close();
  });
});
