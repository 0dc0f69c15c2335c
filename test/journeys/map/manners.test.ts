import { describe, expect, test } from 'vitest';

import { enginesWith } from '../../browser/engines-with.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';
import { LINE } from '../../browser/element-site.ts';
import { pageOf, rejection, timedTrip, type TripsAnswer } from '../../browser/fake-trips-service.ts';

describe.each(enginesWith('maplibre-gl'))('%s', (engine) => {
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
    const hint = page.page.getByText('Zum Zoomen der Karte Ctrl + Scrollen');
    await hint.waitFor();
    const ground = hint.locator(
      'xpath=ancestor-or-self::*[contains(@class, "gesture-screen") or contains(@class, "blocker")]',
    );
    expect(await ground.evaluate((screen) => getComputedStyle(screen).backgroundColor)).toBe('rgba(0, 0, 0, 0.7)');
    expect(await zoomOf(page)).toBe(before);
    await page.page.keyboard.down('Control');
    await page.page.mouse.wheel(0, -200);
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(before);
    expect(await scrolled(page)).toBe(20);
    await page.close();
  });

  test('the engine’s parts have the words of the reader, and the content says its language', async () => {
    const page = await pages.openElement({ locale: 'de' });
    await page.saw('trip-render');
    const labels = await page.page.evaluate(() => {
      const root = document.querySelector('service-trips-map')?.shadowRoot;
      const labelOf = (selector: string) => root?.querySelector(selector)?.getAttribute('aria-label');
      return [labelOf('canvas'), labelOf('[class*="-ctrl-attrib-button"]')];
    });
    expect(labels).toEqual(['Karte', 'Quellenangabe']);
    expect(await page.page.locator('.root').getAttribute('lang')).toBe('de');
    await page.set('locale', 'he-IL');
    await page.page.locator('.root[lang=en-IL]').waitFor();
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

  test('its states are those of :state(), one at a time, and its styles are adopted', async () => {
    let answer: (trips: TripsAnswer) => void = () => {};
    pages.service.respond = () => new Promise((resolve) => (answer = resolve));
    const page = await pages.openElement({ theme: 'light' });
    const states = (): Promise<string[]> =>
      page.page.evaluate(() =>
        ['loading', 'empty', 'error', 'sign-in', 'dark'].filter((name) =>
          document.querySelector('service-trips-map')?.matches(`:state(${name})`),
        ),
      );
    await expect.poll(states).toEqual(['loading']);
    await expect.poll(() => pages.service.calls.length).toBe(1);
    answer(pageOf([]));
    await expect.poll(states).toEqual(['empty']);
    pages.service.respond = () => rejection(500, 'INTERNAL_SERVER_ERROR', 'no');
    await page.set('trip-key', 'trip-1');
    await expect.poll(states).toEqual(['error']);
    await page.set('service-token', null);
    await page.set('theme', 'dark');
    await expect.poll(states).toEqual(['sign-in', 'dark']);
    const sheets = await page.page.evaluate(() => {
      const root = document.querySelector('service-trips-map')?.shadowRoot;
      return [root?.adoptedStyleSheets.length, root?.querySelectorAll('style').length];
    });
    expect(sheets).toEqual([expect.any(Number), 0]);
    expect(sheets[0]).toBeGreaterThan(0);
    await page.close();
  });

  test.each([
    ['#0b1220', 'light', 'dark'],
    ['hsl(40, 30%, 92%)', 'dark', 'light'],
    [['interpolate', ['linear'], ['zoom'], 5, '#d6e4ef', 7, '#f3f4f0'], 'dark', 'light'],
  ] as const)(
    'on a style whose ground is %j a reader of a %s system sees a %s theme',
    async (color, colorScheme, theme) => {
      const layers = [{ id: 'ground', type: 'background', paint: { 'background-color': color } }];
      const style = encodeURIComponent(JSON.stringify({ version: 8, sources: {}, layers }));
      const page = await pages.openElement({ 'map-style': `data:application/json,${style}` }, { colorScheme });
      await page.saw('trip-render');
      const shown = () => page.page.locator('service-trips-map .root').getAttribute('data-theme');
      await expect.poll(shown).toBe(theme);
      await page.set('theme', colorScheme);
      await expect.poll(shown).toBe(colorScheme);
      await page.close();
    },
  );

  test.each([
    ['only light', 'dark', 'light'],
    ['dark', 'light', 'dark'],
    ['light dark', 'dark', 'dark'],
  ] as const)(
    'on a page of the color scheme %j a reader of a %s system sees a %s theme',
    async (scheme, colorScheme, theme) => {
      // With a style for each theme, none of them decides.
      const attributes = pages.attributes({ 'map-style-dark': 'local-style-dark.json' });
      const page = await pages.open(
        `<style nonce="page">body{color-scheme:${scheme}}</style><service-trips-map ${attributes}></service-trips-map>`,
        { colorScheme },
      );
      await page.saw('map-load');
      const shown = () => page.page.locator('service-trips-map .root').getAttribute('data-theme');
      expect(await shown()).toBe(theme);
      await page.page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' });
      await expect.poll(shown).toBe(scheme === 'light dark' ? 'light' : theme);
      await page.close();
    },
  );

  test('in a page from right to left the list is at the right, the legend beside it, and the buttons at the left', async () => {
    pages.service.respond = () => pageOf([timedTrip('trip-1', LINE, [30, 40])]);
    const wanted = { 'trip-list': '', 'color-by': 'speed', replay: '' };
    const page = await pages.open(
      `<div dir="rtl"><service-trips-map ${pages.attributes(wanted)}></service-trips-map></div>`,
      { viewport: { width: 900, height: 480 } },
    );
    await page.saw('trip-render');
    const boxes = await page.page.evaluate(() => {
      const root = document.querySelector('service-trips-map')?.shadowRoot;
      const centerOf = (selector: string): number => {
        const { left = 0, right = 0 } = root?.querySelector(selector)?.getBoundingClientRect() ?? {};
        return (left + right) / 2;
      };
      return ['[class*="-ctrl-group"]', '.legend', '.list'].map(centerOf);
    });
    expect(boxes).toEqual(boxes.toSorted((a, b) => a - b));
    await page.page.locator('[part=replay] input').press('ArrowLeft');
    expect(await page.page.locator('[part=replay] input').inputValue()).toBe('1');
    await page.close();
  });

  test('what stands over a map leaves its attribution free, however high, whose links are underlined', async () => {
    let answer: (trips: TripsAnswer) => void = () => {};
    pages.service.respond = () => new Promise((resolve) => (answer = resolve));
    const link = '<a href="https://maps.example/">Somebody</a>';
    const attribution = `${link}’s map of everything, with the help of many others in many places. `.repeat(3);
    const style = {
      version: 8,
      sources: { none: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, attribution } },
      layers: [{ id: 'none', type: 'line', source: 'none' }],
    };
    const page = await pages.openElement(
      { 'map-style': `data:application/json,${encodeURIComponent(JSON.stringify(style))}` },
      { viewport: { width: 520, height: 480 } },
    );
    const topOfAttribution = () =>
      page.page
        .locator('[class*="ctrl-attrib "]')
        .first()
        .evaluate((element) => element.getBoundingClientRect().top);
    const isAbove = async (selector: string): Promise<boolean> => {
      const { y = 0, height = 0 } = (await page.page.locator(selector).boundingBox()) ?? {};
      return height > 0 && y + height < (await topOfAttribution());
    };
    await page.saw('map-load');
    await page.page.evaluate(() => {
      const root = document.querySelector('service-trips-map')?.shadowRoot;
      const isOpen = root?.querySelector('[class*="-compact-show"]') !== null;
      if (!isOpen) root?.querySelector<HTMLElement>('[class*="-ctrl-attrib-button"]')?.click();
    });
    await expect.poll(topOfAttribution).toBeLessThan(380);
    await expect.poll(() => isAbove('.pill')).toBe(true);
    answer(pageOf([]));
    await page.saw('trip-render');
    expect(await topOfAttribution()).toBeLessThan(380);
    expect(await isAbove('.card')).toBe(true);
    const links = page.page.locator('[class*="ctrl-attrib-inner"] a[href*=example]');
    expect(await links.first().evaluate((one) => getComputedStyle(one).textDecorationLine)).toBe('underline');
    await page.close();
  });

  test('the focus of the keyboard is seen on the buttons of the map', async () => {
    const page = await pages.openElement();
    await page.saw('trip-render');
    await page.page.locator('[part~=stop]').focus();
    await page.page.getByRole('button', { name: 'Zoom in' }).focus();
    const ring = await page.page.getByRole('button', { name: 'Zoom in' }).evaluate((button) => {
      const { boxShadow, outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(button);
      return { boxShadow, outline: [outlineStyle, outlineWidth, outlineOffset] };
    });
    expect(ring).toEqual({ boxShadow: 'none', outline: ['solid', '3px', '-3px'] });
    await page.close();
  });

  test('with a finger for a pointer everything that is pressed is at least 44 pixels high', async () => {
    const page = await pages.openElement(
      { 'trip-list': '', replay: '', fullscreen: '' },
      { viewport: { width: 900, height: 600 }, hasTouch: true, isMobile: true },
    );
    await page.saw('trip-render');
    await page.page.locator('.list ol button').first().tap();
    const sizes = await page.page.evaluate(() => {
      const root = document.querySelector('service-trips-map')?.shadowRoot;
      const pressed = root?.querySelectorAll<HTMLElement>(
        '[class*="-ctrl-group"] button, .list button, .replay :is(button, input)',
      );
      return [...(pressed ?? [])]
        .filter(({ offsetHeight }) => offsetHeight > 0)
        .map(({ offsetHeight }) => offsetHeight);
    });
    expect(sizes.length).toBeGreaterThanOrEqual(9);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
    await page.page.locator('[part~=stop]').focus();
    await page.page.keyboard.press('Enter');
    const { x = 0, y = 0, height = 0 } = (await page.page.locator('.close').boundingBox()) ?? {};
    await page.page.touchscreen.tap(x + height / 2, y - 8);
    await page.page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.close();
  });

  test('a dark map is printed light, and its attribution without a button', async () => {
    const page = await pages.openElement({ theme: 'dark' });
    await page.saw('trip-render');
    const styles = () =>
      page.page.evaluate(() => {
        const root = document.querySelector('service-trips-map')?.shadowRoot;
        const of = (selector: string) => getComputedStyle(root?.querySelector(selector) ?? document.body);
        const surface = of('.root').getPropertyValue('--_surface');
        return [surface, of('canvas').filter, of('[class*="-ctrl-attrib-button"]').display !== 'none'];
      });
    expect((await styles()).slice(0, 2)).toEqual(['#253141', 'none']);
    await page.page.emulateMedia({ media: 'print' });
    expect(await styles()).toEqual(['#ffffff', 'invert(1) hue-rotate(180deg)', false]);
    await page.close();
  });

  test('with forced colors the marks of the engines and of the panels are seen', async () => {
    pages.service.respond = () => pageOf([timedTrip('trip-1', LINE, [30, 40])]);
    const page = await pages.openElement(
      { replay: '', theme: 'dark' },
      { forcedColors: 'active', colorScheme: 'dark' },
    );
    await page.saw('trip-render');
    await page.page.locator('[part~=stop]').focus();
    await page.page.keyboard.press('Enter');
    await page.page.getByRole('dialog').waitFor();
    const styles = await page.page.evaluate(() => {
      const root = document.querySelector('service-trips-map')?.shadowRoot;
      const of = (selector: string) => getComputedStyle(root?.querySelector(selector) ?? document.body);
      return {
        icon: of('[class*="-ctrl-zoom-in"] [class*="-ctrl-icon"]').filter,
        tip: of('[class*="-popup-tip"]').display,
        isFilled: of('.replay [aria-pressed=true] circle').fill !== 'none',
      };
    });
    const icon = engine === 'maplibre-gl' ? 'none' : 'invert(1)';
    expect(styles).toEqual({ icon, tip: 'none', isFilled: true });
    await page.close();
  });

  test('in a sandboxed frame that keeps its origin it draws its trips', async () => {
    const inner = await pages.openElement();
    const url = inner.page.url();
    await inner.close();
    const { page } = await pages.open(
      `<iframe sandbox="allow-scripts allow-same-origin" src="${url}" width="600" height="440"></iframe>`,
    );
    const seen = async (): Promise<string[]> => {
      const [, frame] = page.frames();
      const events = await frame?.evaluate('seen.map(({ type }) => type)').catch(() => []);
      return (events as string[]) ?? [];
    };
    await expect.poll(seen).toContain('trip-render');
    expect((await seen()).filter((type) => type.includes('error'))).toEqual([]);
    await page.close();
  });
});
