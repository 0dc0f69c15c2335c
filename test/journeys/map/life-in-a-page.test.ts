import { describe, expect, test } from 'vitest';

import { BUILT_FILES } from '../../browser/built-file.ts';
import { enginesWith } from '../../browser/engines-with.ts';
import { useElementPages } from '../../browser/element-page.ts';
import { LINE, TOKEN } from '../../browser/element-site.ts';
import { pageOf, timedTrip } from '../../browser/fake-trips-service.ts';
import { fullTest } from '../../services/run-size.ts';

describe.each(enginesWith('maplibre-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);
  const prefix = engine.replace('-', '');

  test('leaves and enters the document: paired events, and the trips are back', async () => {
    const page = await pages.openElement();
    await page.saw('trip-render');
    const unmounts = await page.page.evaluate(() => {
      const element = document.querySelector('service-trips-map') as HTMLElementTagNameMap['service-trips-map'];
      let count = 0;
      element.addEventListener('unmount', ({ detail }) => {
        if (detail === element) count++;
      });
      element.remove();
      const canvases = element.shadowRoot?.querySelectorAll('canvas').length;
      document.body.append(element);
      return [count, canvases];
    });
    expect(unmounts).toEqual([1, 0]);
    await page.saw('trip-render', 2);
    // The map opens while trips load: either may be first.
    const names = await page.names();
    expect(names.filter((name) => name === 'map-load')).toHaveLength(2);
    expect(names.filter((name) => name !== 'map-load')).toEqual([
      ...['mount', 'trip-loading true', 'trip-loading false', 'trip-render'],
      ...['mount', 'trip-loading true', 'trip-loading false', 'trip-render'],
    ]);
    await page.close();
  });

  test('leaves while it loads: loading ends, and nothing else comes', async () => {
    pages.service.respond = () => new Promise(() => {});
    const page = await pages.openElement();
    await page.saw('trip-loading');
    const events = await page.page.evaluate(() => {
      const element = document.querySelector('service-trips-map');
      const names: string[] = [];
      for (const type of ['trip-loading', 'unmount', 'api-error', 'error']) {
        element?.addEventListener(type, (event) =>
          names.push(type === 'trip-loading' ? `${type} ${(event as CustomEvent).detail}` : type),
        );
      }
      element?.remove();
      return new Promise<string[]>((resolve) => requestAnimationFrame(() => resolve(names)));
    });
    expect(events).toEqual(['trip-loading false', 'unmount']);
    await page.close();
  });

  test.each([
    ['hidden', 'hidden', (element: HTMLElement) => element.removeAttribute('hidden')],
    ['without height', 'style="height:0"', (element: HTMLElement) => element.removeAttribute('style')],
  ])('an element %s has its map when it is shown', async (_, attribute, show) => {
    const element = (more: string): string => `<service-trips-map ${pages.attributes()} ${more}></service-trips-map>`;
    const page = await pages.open(element(`id="late" ${attribute}`) + element(''));
    await page.saw('trip-render');
    expect(
      await page.page.evaluate(
        () => (document.querySelector('#late') as HTMLElementTagNameMap['service-trips-map']).map,
      ),
    ).toBeNull();
    await page.page.locator('#late').evaluate(show);
    await page.saw('trip-render', 2);
    expect(await page.page.locator('#late canvas').first().boundingBox()).toMatchObject({
      width: 592,
      height: 420,
    });
    await page.close();
  });

  test('in any size the map has room, whatever panels are wanted', async () => {
    const sizes = [
      { width: 900, height: 60, list: false, replay: false },
      { width: 390, height: 60, list: false, replay: false },
      { width: 390, height: 240, list: false, replay: true },
      { width: 390, height: 420, list: true, replay: true },
      { width: 900, height: 240, list: true, replay: true },
    ];
    const elements = sizes.map(({ width, height }) => {
      const attributes = { 'trip-list': '', replay: '', style: `width:${width}px;height:${height}px` };
      return `<service-trips-map ${pages.attributes(attributes)}></service-trips-map>`;
    });
    const page = await pages.open(elements.join(''), { viewport: { width: 1000, height: 1400 } });
    await page.saw('trip-render', sizes.length);
    for (const [at, { width, height, ...panels }] of sizes.entries()) {
      const element = page.page.locator('service-trips-map').nth(at);
      const map = await element.locator('#map').boundingBox();
      expect(map?.height).toBeGreaterThanOrEqual(Math.max(60, width < 560 && height > 400 ? 0.6 * height : 0));
      const [list, replay] = [element.locator('.list'), element.locator('.replay')];
      const shown = { list: await list.isVisible(), replay: await replay.isVisible() };
      expect({ width, height, ...shown }).toEqual({ width, height, ...panels });
    }
    await page.close();
  });

  test('on a phone the line has room: a small flag, a closed attribution, and the map between the panels', async () => {
    const path = [0, 1, 2, 3, 4].map((corner): [number, number] => [
      11.5 + (corner === 1 || corner === 2 ? 0.06 : 0),
      48.1 + (corner === 2 || corner === 3 ? 0.04 : 0),
    ]);
    pages.service.respond = () => pageOf([timedTrip('trip-1', path, [10, 20, 30, 40])]);
    const page = await pages.openElement(
      { 'trip-list': '', replay: '', 'color-by': 'speed', style: 'width:390px;height:420px' },
      { viewport: { width: 1000, height: 600 } },
    );
    await page.saw('trip-render');
    const seen = await page.page.evaluate(() => {
      const element = document.querySelector('service-trips-map');
      const map = element?.map;
      if (!map || !('project' in map)) throw new Error('No map');
      const [from, to] = [map.project([11.5, 48.1]), map.project([11.56, 48.14])];
      return {
        part: ((to.x - from.x) * (from.y - to.y)) / (390 * 420),
        attribution: element.shadowRoot?.querySelector('[class*="-ctrl-attrib"]')?.clientWidth,
        flag: map.getLayoutProperty('service-trips-flags', 'icon-size'),
      };
    });
    // The logo of mapbox-gl takes some of it.
    expect(seen.part).toBeGreaterThan(0.2);
    expect(seen.attribution).toBeLessThanOrEqual(30);
    expect(seen.flag).toBeLessThan(1);
    await page.page.locator('service-trips-map').evaluate((element) => element.setAttribute('style', 'width:700px'));
    await page.page.waitForFunction(() => {
      const map = document.querySelector('service-trips-map')?.map;
      return map && 'getLayer' in map && map.getLayoutProperty('service-trips-flags', 'icon-size') === 1;
    });
    await page.close();
  });

  test('a map follows the size of its element', async () => {
    const page = await pages.openElement();
    await page.saw('trip-render');
    await page.page.evaluate(() =>
      document.querySelector('service-trips-map')?.setAttribute('style', 'width:500px;height:250px'),
    );
    await page.page.waitForFunction(() => {
      const canvas = document.querySelector('service-trips-map')?.shadowRoot?.querySelector('canvas');
      return canvas?.clientWidth === 500 && canvas.clientHeight === 250;
    });
    await page.close();
  });

  test('a policy without blob workers is an error that says what to allow', async () => {
    const page = await pages.openElement({}, { csp: "worker-src 'self'" });
    await page.saw('error');
    const failure = (await page.events()).find(({ type }) => type === 'error');
    expect(failure?.detail).toEqual({ error: expect.stringContaining('worker-src blob:') });
    expect(await page.names()).not.toContain('map-load');
    await page.close();
  });

  test('works under the narrowest policy that the README names', async () => {
    const connect = `'self' ${new URL(pages.service.url).origin} ${pages.provider.url}`;
    const csp = `default-src 'none'; script-src 'nonce-page'; style-src 'nonce-page'; worker-src blob:; img-src blob: data: ${pages.provider.url}; connect-src ${connect}`;
    const page = await pages.openElement({ replay: '', 'trip-list': '', 'color-by': 'speed' }, { csp });
    const refused: string[] = [];
    page.page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text());
    });
    await page.saw('trip-render');
    expect(refused).toEqual([]);
    await page.close();
  });

  test('the file loaded twice defines the element once, beside a page’s own', async () => {
    const page = await pages.openElement();
    await page.saw('trip-render');
    const before = await page.page.evaluateHandle(() => customElements.get('service-trips-map'));
    const errors: Error[] = [];
    page.page.on('pageerror', (error) => errors.push(error));
    await page.page.addScriptTag({ type: 'module', url: `${BUILT_FILES[engine]}?again` });
    expect(errors).toEqual([]);
    expect(await before.evaluate((definition) => customElements.get('service-trips-map') === definition)).toBe(true);
    await page.close();
  });

  test('of two versions on a page the first stays, and the console says so', async () => {
    const page = await pages.openElement();
    await page.saw('trip-render');
    const notices: string[] = [];
    page.page.on('console', (message) => notices.push(message.text()));
    page.page.on('pageerror', (error) => notices.push(error.message));
    const version = await page.page.evaluate(
      () => (customElements.get('service-trips-map') as { version?: string }).version,
    );
    await page.page.addScriptTag({ type: 'module', url: `${BUILT_FILES[engine]}?version=99.0.0` });
    await expect
      .poll(() => notices)
      .toEqual([
        `<service-trips-map> ${version} (${prefix}) is already defined on this page, so 99.0.0 (${prefix}) is ignored. Load only one of them.`,
      ]);
    await page.page.evaluate(
      (attributes) =>
        document.body.insertAdjacentHTML('beforeend', `<service-trips-map ${attributes}></service-trips-map>`),
      pages.attributes(),
    );
    await page.saw('trip-render', 2);
    await page.close();
  });

  test('a copy that the server has filled in needs no service-url', async () => {
    const page = await pages.open('', { filled: pages.service.url });
    await page.page.evaluate(
      (attributes) => {
        document.body.insertAdjacentHTML('beforeend', `<service-trips-map ${attributes}></service-trips-map>`);
      },
      pages.attributes({ 'service-url': null }),
    );
    await page.saw('trip-render');
    expect(pages.service.calls.at(-1)?.authorization).toBe(`Bearer ${TOKEN}`);
    await page.close();
  });

  test('where a page lacks what a map needs, it can be made all the same, and says what is missing', async () => {
    const page = await pages.open('');
    const made = await page.page.evaluate((attributes) => {
      for (const name of ['matchMedia', 'IntersectionObserver', 'ResizeObserver'])
        Reflect.set(globalThis, name, undefined);
      const element = document.createElement('service-trips-map');
      document.body.append(element);
      element.remove();
      document.body.insertAdjacentHTML('beforeend', `<service-trips-map replay ${attributes}></service-trips-map>`);
      return element.theme;
    }, pages.attributes());
    expect(made).toBe('auto');
    await page.saw('error');
    await page.page.getByText('IntersectionObserver is not').waitFor();
    await page.close();
  });

  test('slots replace the default states', async () => {
    pages.service.respond = () => pageOf([]);
    const page = await pages.open(
      `<service-trips-map ${pages.attributes()}><p slot="empty">Nothing driven</p></service-trips-map>`,
    );
    await page.saw('trip-render');
    await page.page.getByText('Nothing driven').waitFor();
    expect(await page.page.getByText('No trips here').isVisible()).toBe(false);
    await page.close();
  });

  test('a lost graphics context is replaced by another, with the trips on it', async () => {
    const page = await pages.openElement();
    await page.saw('trip-render');
    // However long each map takes to open, the losses are of one moment.
    await page.page.evaluate(() => {
      const now = Date.now();
      Date.now = () => now;
    });
    const lose = (): Promise<void> =>
      page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map')?.map;
        if (!map || !('getCanvas' in map)) throw new Error('No map');
        map.getCanvas().getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
      });
    await lose();
    await page.saw('trip-render', 2);
    expect(await page.lines()).toEqual([{ key: 'trip-1', coordinates: LINE }]);
    expect(await page.page.locator('canvas').count()).toBe(1);
    for (let time = 3; time <= 4; time++) {
      await lose();
      await page.saw('trip-render', time);
    }
    await lose();
    await page.saw('error');
    await page.page.getByText('The map could not be shown').waitFor();
    await page.close();
  });

  fullTest(
    'of thirty maps those in view are alive, twelve at most, and each is back when it is scrolled to',
    async () => {
      const attributes = `${pages.attributes({ 'map-style': 'local-style.json' })} style="width:120px;height:300px"`;
      const page = await pages.open(`<service-trips-map ${attributes}></service-trips-map>`.repeat(30));
      const alive = (): Promise<boolean[]> =>
        page.page.evaluate(() => [...document.querySelectorAll('service-trips-map')].map(({ map }) => map !== null));
      await page.saw('trip-render');
      expect((await alive()).filter(Boolean).length).toBeLessThan(4);
      for (let at = 0; at < 30; at += 5) {
        await page.page.locator('service-trips-map').nth(at).scrollIntoViewIfNeeded();
        await expect.poll(async () => (await alive())[at]).toBe(true);
        expect((await alive()).filter(Boolean).length).toBeLessThanOrEqual(12);
      }
      expect((await alive())[0]).toBe(false);
      await page.page.locator('service-trips-map').first().scrollIntoViewIfNeeded();
      await expect.poll(async () => (await alive())[0]).toBe(true);
      expect((await page.names()).filter((name) => name === 'error')).toEqual([]);
      await page.close();
    },
  );

  fullTest(
    'of fourteen maps in view twelve are alive, and a picture stands for each other one until it is wanted',
    async () => {
      const style = 'display:inline-block;width:80px;height:80px';
      const attributes = pages.attributes({ 'map-style': 'local-style.json', theme: 'light' });
      const page = await pages.open(
        `<service-trips-map style="${style}" ${attributes}></service-trips-map>`.repeat(14),
      );
      const all = page.page.locator('service-trips-map');
      const suspended = (): Promise<number[]> =>
        all.evaluateAll((maps) =>
          maps.flatMap((map, at) => ((map as HTMLElementTagNameMap['service-trips-map']).map ? [] : [at])),
        );
      const colors = (at: number): Promise<number[]> =>
        all.nth(at).evaluate((map) => {
          const canvas = map.shadowRoot?.querySelector<HTMLCanvasElement>('.snapshot canvas');
          const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
          return [...new Set(new Uint32Array(new Uint8ClampedArray(pixels).buffer))];
        });
      await page.page.waitForFunction("seen.filter(({ type }) => type === 'trip-render').length >= 14");
      await expect.poll(suspended).toHaveLength(2);
      const [first = 0, second = 0] = await suspended();
      const [lightLine, darkLine] = [0xffeb6325, 0xffffa06e];
      expect(await colors(first)).toContain(lightLine);
      await all.nth(first).hover();
      await page.saw('trip-render', 15);
      expect(await suspended()).not.toContain(first);
      await all.nth(second).getByRole('button', { name: 'Use this map' }).focus();
      await page.page.keyboard.press('Enter');
      await page.saw('trip-render', 16);
      await expect.poll(() => all.nth(second).locator('canvas:focus').count()).toBe(1);
      const [third = 0] = await suspended();
      await all.nth(third).evaluate((map) => (map as HTMLElementTagNameMap['service-trips-map']).reload());
      await page.saw('trip-render', 17);
      expect(await suspended()).toHaveLength(2);
      expect(await suspended()).not.toContain(third);
      await all.evaluateAll((maps) => {
        for (const map of maps) map.setAttribute('theme', 'dark');
      });
      await page.saw('trip-render', 19);
      await expect.poll(suspended).toHaveLength(2);
      for (const map of await suspended()) {
        expect(await colors(map)).toContain(darkLine);
        expect(await colors(map)).not.toContain(lightLine);
      }
      expect((await page.names()).filter((name) => name === 'error')).toEqual([]);
      await page.close();
    },
  );

  test('a page’s own mapbox-gl is left alone', async () => {
    const page = await pages.open('<script nonce="page">mapboxgl = { own: true };</script>');
    await page.page.evaluate((attributes) => {
      document.body.insertAdjacentHTML('beforeend', `<service-trips-map ${attributes}></service-trips-map>`);
    }, pages.attributes());
    await page.saw('trip-render');
    expect(await page.page.evaluate('mapboxgl')).toEqual({ own: true });
    await page.close();
  });
});
