import { describe, expect, test } from 'vitest';

import { enginesWith } from '../../browser/engines-with.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';
import { LINE } from '../../browser/element-site.ts';
import { pageOf, timedTrip, wireTrip, withGaps } from '../../browser/fake-trips-service.ts';

describe.each(enginesWith('mapbox-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);

  /** The runs of one colour on the map; no source, no runs. */
  function stretches({ page }: ElementPage): Promise<{ color: string; positions: number }[]> {
    return page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('getSource' in map)) throw new Error('No map');
      const source = map.getSource('service-trips-speeds')?.serialize() as unknown as
        | { data: { features: { properties: { color: string }; geometry: { coordinates: number[][] } }[] } }
        | undefined;
      return (source?.data.features ?? []).map(({ properties, geometry }) => ({
        color: properties.color,
        positions: geometry.coordinates.length,
      }));
    });
  }

  /** The color of arrows, and the colors of stop, start and end. */
  function marks({ page }: ElementPage): Promise<{ arrow: unknown; colors: string[] }> {
    return page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('getSource' in map)) throw new Error('No map');
      const [, , arrow] = map.getLayoutProperty('service-trips-arrows', 'icon-image') as unknown[];
      const source = map.getSource('service-trips-stops')?.serialize() as unknown as {
        data: { features: { properties: { color: string } }[] };
      };
      return { arrow, colors: source.data.features.map(({ properties }) => properties.color) };
    });
  }

  test('colours the line, with a legend in the reader’s units and theme', async () => {
    pages.service.respond = () => pageOf([timedTrip('trip-1', LINE, [10, 60])]);
    const page = await pages.openElement({ 'color-by': 'speed', theme: 'light' });
    await page.saw('trip-render');
    expect(pages.service.calls[0]?.timed).toBe(true);
    const light = await stretches(page);
    expect(light.map(({ positions }) => positions)).toEqual([2, 2]);
    const legend = page.page.locator('[part=legend]');
    expect((await legend.textContent())?.replaceAll(/\s+/g, ' ').trim()).toBe('Speed mph < 2050–70');
    await page.set('units', 'km');
    await legend.getByText('km/h').waitFor();
    await page.set('theme', 'dark');
    await page.page.locator('[data-theme=dark]').waitFor();
    expect((await stretches(page))[0]?.color).not.toBe(light[0]?.color);
    expect(await marks(page)).toEqual({ arrow: '#f2f5f9', colors: ['#6f7e94', '#6ea0ff', '#6ea0ff'] });
    await page.set('color-by', null);
    await legend.waitFor({ state: 'detached' });
    expect(await stretches(page)).toEqual([]);
    expect(await marks(page)).toEqual({ arrow: ['get', 'color'], colors: ['#6ea0ff', '#6ea0ff', '#6ea0ff'] });
    expect((await page.names()).filter((name) => name === 'error')).toEqual([]);
    await page.close();
  });

  test('the way across a gap in the recording is dashed and is not one of the lines, with speeds and without', async () => {
    const [timedOne, plain] = [timedTrip('trip-1', LINE, [10, null]), wireTrip('trip-1', LINE)];
    pages.service.respond = ({ timed }) => pageOf([withGaps(timed ? timedOne : plain, [2])]);
    const page = await pages.openElement({ theme: 'light' });
    await page.saw('trip-render');
    const dashed = (): Promise<unknown> =>
      page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map')?.map;
        if (!map || !('getSource' in map)) throw new Error('No map');
        const source = map.getSource('service-trips-gaps')?.serialize() as unknown as {
          data: { features: { properties: { color: string }; geometry: { coordinates: number[][] } }[] };
        };
        const [line] = source.data.features;
        const dashes = map.getPaintProperty('service-trips-gap', 'line-dasharray');
        return { dashes, color: line?.properties.color, path: line?.geometry.coordinates };
      });
    const path = LINE.slice(1);
    expect(await page.lines()).toEqual([{ key: 'trip-1', coordinates: LINE.slice(0, 2) }]);
    expect(await dashed()).toEqual({ dashes: [1, 1.1], color: '#2563eb', path });
    await page.set('color-by', 'speed');
    await expect.poll(async () => (await stretches(page)).length).toBe(1);
    expect(await dashed()).toMatchObject({ color: '#8a93a0', path });
    await page.close();
  });

  test('is plain, without a legend, where no speed is known', async () => {
    pages.service.respond = () => pageOf([wireTrip('trip-1', LINE)]);
    const page = await pages.openElement({ 'color-by': 'speed' });
    await page.saw('trip-render');
    expect(await stretches(page)).toEqual([]);
    expect(await page.lines()).toEqual([{ key: 'trip-1', coordinates: LINE }]);
    expect(await page.page.locator('[part=legend]').count()).toBe(0);
    await page.close();
  });

  test('set later, it loads the trips once more, for their speeds', async () => {
    pages.service.respond = ({ timed }) =>
      pageOf([timed ? timedTrip('trip-1', LINE, [10, 60]) : wireTrip('trip-1', LINE)]);
    const page = await pages.openElement();
    await page.saw('trip-render');
    await page.set('color-by', 'speed');
    await page.saw('trip-render', 2);
    expect(await stretches(page)).toHaveLength(2);
    await page.set('color-by', 'trip');
    await page.page.locator('[part=legend]').waitFor({ state: 'detached' });
    await page.set('color-by', 'speed');
    await page.page.locator('[part=legend]').waitFor();
    expect(pages.service.calls).toHaveLength(2);
    await page.close();
  });
});
