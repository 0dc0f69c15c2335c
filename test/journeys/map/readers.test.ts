import { describe, expect, test } from 'vitest';

import { enginesWith } from '../../browser/engines-with.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';
import { LINE, TOKEN } from '../../browser/element-site.ts';
import { pageOf, STREAM, type TripsAnswer, type TripsCall, timedTrip } from '../../browser/fake-trips-service.ts';

const PANELS = { 'trip-list': '', 'color-by': 'speed', replay: '', fullscreen: '' };

const respond = ({ operation }: TripsCall): TripsAnswer =>
  operation === 'ServiceTripsMap'
    ? pageOf(
        ['08', '12', '17'].map((hour) => timedTrip(`trip-${hour}`, LINE, [30, 50, 40], `2026-11-03T${hour}:02:00Z`)),
      )
    : { body: STREAM };

/** The computed styles of a part, or of one of its pseudo-elements. */
const stylesOf = <K extends string>({ page }: ElementPage, selector: string, names: readonly K[], pseudo?: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (part, [wanted, of]) => {
        const styles = getComputedStyle(part, of);
        return Object.fromEntries(wanted.map((name) => [name, styles.getPropertyValue(name)]));
      },
      [names, pseudo] as const,
    );

describe.each(enginesWith('mapbox-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);

  /** A page with a map that shows its trips. */
  async function openMap(
    attributes: Readonly<Record<string, string | null>>,
    options: Parameters<typeof pages.openElement>[1] = {},
  ): Promise<ElementPage> {
    pages.service.respond = respond;
    const page = await pages.openElement(attributes, options);
    await page.saw('trip-render');
    return page;
  }

  test.each([380, 420, 600])('on a map of %i pixels the list of vehicles ends within a row', async (height) => {
    pages.service.respond = respond;
    const attributes = {
      live: '',
      'vehicle-key': null,
      'service-token': null,
      'vehicle-keys': 'a b c d e f g h',
      style: `height:${height}px`,
    };
    const page = await pages.open(
      `<service-trips-map ${pages.attributes(attributes)}></service-trips-map><script type="module" nonce="page">
        const element = document.querySelector('service-trips-map');
        element.tokenProvider = async (key) => '${TOKEN}'.replace(/[^.]+$/, key);
      </script>`,
      { viewport: { width: 900, height: 640 } },
    );
    const vehicles = page.page.getByRole('list', { name: 'Vehicles' });
    await vehicles.locator('li:last-child .age bdi').waitFor({ state: 'attached' });
    const shown = await vehicles.evaluate((list) => {
      const row = list.querySelectorAll('li')[1]?.offsetHeight ?? 0;
      return { rows: (list.clientHeight - 5) / row, isCut: list.scrollHeight > list.clientHeight };
    });
    expect(shown.isCut).toBe(true);
    expect(shown.rows % 1).toBeGreaterThan(0.3);
    expect(shown.rows % 1).toBeLessThan(0.7);
    await page.close();
  });

  test('a printed dark map and its legend and list have the same colors, and narrow paper shows the rows', async () => {
    const page = await openMap({ ...PANELS, theme: 'dark' }, { viewport: { width: 600, height: 480 } });
    await page.page.emulateMedia({ media: 'print' });
    const filter = 'invert(1) hue-rotate(180deg)';
    for (const selector of ['canvas', '.legend .swatch', '.list ol .swatch'])
      expect(await stylesOf(page, selector, ['filter']), selector).toEqual({ filter });
    expect(await page.page.locator('.list .handle').isVisible()).toBe(false);
    const [list, row] = [page.page.locator('.list'), page.page.locator('.list li').last()];
    await expect.poll(() => row.isVisible()).toBe(true);
    const boxes = [await list.boundingBox(), await row.boundingBox()].map((box) => (box?.y ?? 0) + (box?.height ?? 0));
    expect(boxes[1]).toBeLessThanOrEqual(boxes[0] ?? 0);
    await page.close();
  });

  test.each(['ltr', 'rtl'])('on a low map from %s nothing covers a control, and none is cut', async (dir) => {
    const options = { viewport: { width: 390, height: 480 }, hasTouch: true, isMobile: true };
    const page = await openMap({ ...PANELS, style: 'height:300px', dir }, options);
    await page.page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (map && 'panBy' in map) map.panBy([90, 60], { duration: 0 }, { originalEvent: new MouseEvent('mousedown') });
    });
    const buttons = page.page.locator('[class*="-ctrl-group"] button');
    await expect.poll(() => page.page.locator('.fit').isVisible()).toBe(true);
    const covered = await buttons.evaluateAll((all) =>
      all
        .filter((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          const root = button.getRootNode() as ShadowRoot;
          const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y] as const));
          return corners.some(([x, y]) => root.elementFromPoint(x, y)?.closest('button') !== button);
        })
        .map((button) => button.getAttribute('aria-label')),
    );
    expect(await buttons.count()).toBe(4);
    expect(covered).toEqual([]);
    await page.close();
  });

  test('an address that arrives moves nothing of a popup', async () => {
    const page = await openMap({ 'reverse-geocode': '' });
    await page.page.evaluate(() => {
      const found = new Promise<void>((resolve) => addEventListener('found', () => resolve(), { once: true }));
      const element = document.querySelector('service-trips-map');
      if (element)
        element.reverseGeocodeHandler = () =>
          found.then(() => ({ street: 'A Street of Some Length 40', city: 'Town', state: '' }));
    });
    await page.page.locator('[part~=stop]').press('Enter');
    await page.page.locator('.address.pending').waitFor();
    const boxOf = () =>
      page.page.locator('.popup').evaluate((dialog) => {
        const popup = dialog as HTMLElement;
        const close = popup.querySelector<HTMLElement>('.close');
        return [popup.offsetWidth, popup.offsetHeight, close?.offsetLeft, close?.offsetTop];
      });
    const before = await boxOf();
    await page.page.evaluate(() => dispatchEvent(new Event('found')));
    await page.page.getByText('A Street of Some Length 40').waitFor();
    expect(await boxOf()).toEqual(before);
    expect(before[0]).toBe(280);
    await page.close();
  });

  test('with forced colors the handle, the buttons and what is live have edges', async () => {
    const page = await openMap(
      { ...PANELS, live: '' },
      { viewport: { width: 390, height: 480 }, forcedColors: 'active' },
    );
    await page.page.locator('.live p').waitFor();
    for (const selector of ['.live p', '[class*="-ctrl-group"]', '.legend'])
      expect(await stylesOf(page, selector, ['border-top-width']), selector).toEqual({ 'border-top-width': '1px' });
    const handle = await stylesOf(page, '.handle', ['border-top-width', 'border-top-color'], '::before');
    const { color } = await stylesOf(page, '.root', ['color']);
    expect(handle).toEqual({ 'border-top-width': '2px', 'border-top-color': color });
    await page.close();
  });

  test('the sign that plays points where the replay runs to', async () => {
    const page = await openMap(PANELS);
    const signOf = () => stylesOf(page, '.replay .round svg', ['scale']);
    expect(await signOf()).toEqual({ scale: 'none' });
    await page.set('dir', 'rtl');
    expect(await signOf()).toEqual({ scale: '-1 1' });
    await page.close();
  });

  test.each([
    ['200%', 26],
    ['62.5%', 13],
  ])('in a page whose text is %s large the list and the replay have text of %i pixels', async (size, pixels) => {
    pages.service.respond = respond;
    const page = await pages.open(
      `<style nonce="page">html{font-size:${size}}</style><service-trips-map ${pages.attributes(PANELS)}></service-trips-map>`,
      { viewport: { width: 390, height: 640 } },
    );
    await page.saw('trip-render');
    for (const selector of ['.list ol button', '.replay'])
      expect(await stylesOf(page, selector, ['font-size']), selector).toEqual({ 'font-size': `${pixels}px` });
    const [text, bar] = await Promise.all(
      ['.handle b', '.list'].map((selector) => page.page.locator(selector).boundingBox()),
    );
    expect(text?.height).toBeLessThan((bar?.height ?? 0) - 6);
    await page.close();
  });

  test('a chosen row keeps its color under the pointer, and all of the bar of a sheet is pressed', async () => {
    const page = await openMap(PANELS, { viewport: { width: 900, height: 480 } });
    const row = page.page.locator('[part=trip]').first();
    await row.click();
    await page.page.mouse.move(880, 5);
    const { 'background-color': chosen } = await stylesOf(page, '[part=trip]', ['background-color']);
    await row.hover();
    await page.page.locator('[part=trip].hovered').waitFor();
    expect(await stylesOf(page, '[part=trip]', ['background-color'])).toEqual({ 'background-color': chosen });
    await page.page.setViewportSize({ width: 390, height: 480 });
    const { x = 0, y = 0, height = 0 } = (await page.page.locator('.list').boundingBox()) ?? {};
    await page.page.mouse.click(x + 40, y + height - 2);
    await page.page.locator('.list.open').waitFor();
    await page.close();
  });
});
