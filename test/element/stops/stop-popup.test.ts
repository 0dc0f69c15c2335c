import { describe, expect, test } from 'vitest';

import { enginesWith } from '../../browser/engines-with.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';
import { LINE } from '../../browser/element-site.ts';
import { pageOf, timedTrip, wireTrip } from '../../browser/fake-trips-service.ts';

describe.each(enginesWith('mapbox-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);

  async function openMap(changes: Readonly<Record<string, string | null>> = {}): Promise<ElementPage> {
    const page = await pages.openElement(changes);
    await page.saw('trip-render');
    return page;
  }

  /** The accessible name of what has the focus inside of the element. */
  function focused({ page }: ElementPage): Promise<string | null | undefined> {
    return page.evaluate(() =>
      document.querySelector('service-trips-map')?.shadowRoot?.activeElement?.getAttribute('aria-label'),
    );
  }

  /** Opens the popup of the stop at an index with the keyboard. */
  async function openStop({ page }: ElementPage, index: number): Promise<void> {
    await page.locator('[part~=stop]').focus();
    await page.keyboard.press('Home');
    for (let time = 0; time < index; time++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
  }

  const geocoded = (): number => pages.provider.requests.filter((path) => path.startsWith('/search/geocode')).length;

  test('one stop of the Tab key reaches every place of a trip by the arrow keys, and is left again', async () => {
    const page = await openMap();
    const start = 'Start, Nov 3, 2026, 8:02 AM';
    const stop = page.page.locator('[part~=stop]');
    expect(await stop.count()).toBe(1);
    await stop.focus();
    await page.page.keyboard.press('Enter');
    const dialog = page.page.getByRole('dialog', { name: start });
    await dialog.waitFor();
    expect(await focused(page)).toBe(start);
    expect(await dialog.textContent()).toMatch(/Departed\s*Nov 3, 8:02\sAM\s/);
    await page.page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Close');
    await page.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(`${start} (1/3)`);
    await page.page.keyboard.press('ArrowRight');
    expect(await focused(page)).toMatch(/^Stop, .* \(2\/3\)$/);
    await page.page.keyboard.press('ArrowDown');
    expect(await focused(page)).toMatch(/^End, .* \(3\/3\)$/);
    await page.page.keyboard.press('ArrowRight');
    expect(await focused(page)).toMatch(/^End, /);
    await page.page.keyboard.press('Tab');
    expect(await stop.count()).toBe(1);
    expect(await focused(page)).not.toMatch(/^(Start|Stop|End), /);
    await page.close();
  });

  test('a stop says when it began and ended, and opening another closes it', async () => {
    const page = await openMap();
    await openStop(page, 1);
    const text = (await page.page.getByRole('dialog').textContent())?.replaceAll(/[^\S\u00a0]+/g, ' ');
    expect(text).toMatch(
      /Stayed ?Nov 3, 8:02 – 8:12 AM · 10\u00a0min ?End ?8:12 AM · 2\.0\u00a0mi · 15\u00a0sec ?Open in maps$/,
    );
    expect(await page.page.getByRole('link', { name: 'Open in maps' }).getAttribute('href')).toBe(
      'https://www.openstreetmap.org/?mlat=48.120000&mlon=11.520000#map=17/48.120000/11.520000',
    );
    await openStop(page, 2);
    await page.page.getByRole('dialog', { name: /^End/ }).waitFor();
    expect(await page.page.getByRole('dialog').textContent()).toMatch(/Trip\s*0\.2\u00a0mi · 11\u00a0min/);
    expect(await page.page.getByRole('dialog').count()).toBe(1);
    await page.page.getByRole('button', { name: 'Close' }).click();
    await page.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(geocoded()).toBe(0);
    await page.close();
  });

  test('a popup that its address enlarges is within the map, beside no panel', async () => {
    pages.service.respond = () => pageOf([timedTrip('trip-1', LINE, [10, 20])]);
    const style = 'width:260px;height:420px';
    const page = await openMap({ 'color-by': 'speed', 'reverse-geocode': '', style });
    await page.page.evaluate(() => {
      const answered = new Promise((resolve) => Object.assign(globalThis, { answer: resolve }));
      const address = { street: `${'Long '.repeat(20)}Street`, city: 'Fakeville', state: 'Bavaria' };
      const element = document.querySelector('service-trips-map');
      if (element) element.reverseGeocodeHandler = () => answered.then(() => address);
      const map = element?.map;
      if (map && 'jumpTo' in map) map.jumpTo({ center: [11.56, 48.13], zoom: 15 });
    });
    const boxOf = (selector: string) => page.page.locator(selector).boundingBox();
    const places = async () => {
      const [popup, legend, map] = [await boxOf('.popup'), await boxOf('.legend'), await boxOf('#map')];
      if (!popup || !legend || !map) throw new Error('Nothing is shown');
      const isInside = popup.x > map.x && popup.x + popup.width < map.x + map.width && popup.y > map.y;
      const isClear = popup.y >= legend.y + legend.height || popup.x >= legend.x + legend.width;
      return [isInside, isClear];
    };
    await openStop(page, 2);
    await expect.poll(places).toEqual([true, true]);
    await page.page.evaluate('answer()');
    await page.page.getByText('Fakeville').waitFor();
    await expect.poll(places).toEqual([true, true]);
    await page.close();
  });

  test('an element that is removed while the map is panned for a popup leaves no error', async () => {
    const errors: string[] = [];
    const page = await openMap({ 'reverse-geocode': '', style: 'width:260px;height:300px' });
    page.page.on('pageerror', ({ message }) => errors.push(message));
    const centerOf = () =>
      page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map')?.map;
        return map && 'getCenter' in map ? map.getCenter().toArray() : [];
      });
    const before = await centerOf();
    await openStop(page, 2);
    await expect.poll(centerOf).not.toEqual(before);
    await page.page.evaluate(async () => {
      document.querySelector('service-trips-map')?.remove();
      for (let frame = 0; frame < 20; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    expect(errors).toEqual([]);
    await page.close();
  });

  test('with reverse-geocode the popup shows the provider’s address, asked for once', async () => {
    const page = await openMap({ 'reverse-geocode': '' });
    expect(geocoded()).toBe(0);
    for (let time = 0; time < 2; time++) {
      await openStop(page, 0);
      await page.page.getByText('12 Test Street, Fakeville, Loopback').waitFor();
      await page.page.keyboard.press('Escape');
    }
    expect(geocoded()).toBe(1);
    await page.close();
  });

  test('an address that the provider does not know is an event and a word in the popup', async () => {
    pages.provider.geocode = [];
    const page = await openMap({ 'reverse-geocode': '' });
    await openStop(page, 2);
    await page.saw('address-not-found');
    const event = (await page.events()).find(({ type }) => type === 'address-not-found');
    expect(event?.detail).toEqual({ message: 'Address not found', latitude: 48.13, longitude: 11.56 });
    await page.page.getByText('No address found').waitFor();
    await page.close();
  });

  test('reverseGeocodeHandler replaces the provider, and its failure is no address-not-found', async () => {
    const page = await openMap({ 'reverse-geocode': '' });
    await page.page.evaluate(() => {
      const element = document.querySelector('service-trips-map');
      if (element)
        element.reverseGeocodeHandler = async (longitude, latitude) => ({
          street: `${longitude} ${latitude}`,
          city: 'Ours',
          state: '',
        });
    });
    await openStop(page, 0);
    await page.page.getByText('11.5 48.1, Ours').waitFor();
    await page.page.evaluate(() => {
      const element = document.querySelector('service-trips-map');
      if (element) element.reverseGeocodeHandler = () => Promise.reject(new Error('Handler failed'));
    });
    await openStop(page, 2);
    await page.saw('error');
    expect((await page.events()).at(-1)).toEqual({ type: 'error', detail: { error: 'Handler failed' } });
    expect(geocoded()).toBe(0);
    await page.close();
  });

  test('a popup at the edge of a narrow map is moved into it, and the map back when it closes, unless the reader moves it', async () => {
    pages.service.respond = () =>
      pageOf([
        wireTrip('trip-1', [
          [11.5, 48.1],
          [11.5444, 48.115],
          [11.56, 48.13],
        ]),
      ]);
    const page = await pages.openElement({}, { viewport: { width: 390, height: 700 } });
    await page.saw('trip-render');
    const center = () =>
      page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map')?.map;
        if (!map || !('getCenter' in map) || map.isMoving()) return null;
        return map
          .getCenter()
          .toArray()
          .map((degrees) => degrees.toFixed(5));
      });
    const before = await center();
    const place = async () => (await center())?.join() ?? null;
    await openStop(page, 1);
    await page.page.waitForFunction(() => {
      const element = document.querySelector('service-trips-map');
      const popup = element?.shadowRoot?.querySelector('[role=dialog]')?.getBoundingClientRect();
      const around = element?.getBoundingClientRect();
      return popup && around && popup.left >= around.left && popup.right <= around.right && popup.top >= around.top;
    });
    await expect.poll(center).not.toEqual(null);
    expect(await center()).not.toEqual(before);
    await page.page.keyboard.press('Escape');
    await expect.poll(center).toEqual(before);
    await openStop(page, 1);
    await expect.poll(async () => [null, String(before)].includes(await place())).toBe(false);
    await page.page.getByRole('button', { name: 'Zoom in' }).click();
    await page.page.keyboard.press('Escape');
    await expect.poll(center).not.toEqual(null);
    expect(await center()).not.toEqual(before);
    await page.close();
  });

  test('words, units and times follow locale and units, also later', async () => {
    const page = await openMap({ locale: 'de' });
    await page.page.getByRole('button', { name: /^Start, 3\. Nov\. 2026/ }).waitFor();
    await page.set('locale', 'es');
    await page.page.getByRole('button', { name: /^Salida, 3 nov 2026/ }).waitFor();
    await page.set('units', 'mi');
    expect(await page.page.locator('[role=status]').first().textContent()).toContain('1 viaje; 0,2 mi');
    expect((await page.names()).filter((name) => name === 'trip-render')).toHaveLength(1);
    await page.close();
  });
});
