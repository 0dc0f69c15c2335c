import { describe, expect, test } from 'vitest';

import { enginesWith } from '../../browser/engines-with.ts';
import { type ElementPage, useElementPages } from '../../browser/element-page.ts';
import { LINE, TOKEN } from '../../browser/element-site.ts';
import { movementTo, pageOf, rejection, STREAM, type TripsCall, wireTrip } from '../../browser/fake-trips-service.ts';

const LIVE = { live: '' };
const rejected = (code: string) => ({ errors: [{ message: 'Refused', extensions: { code } }] });
const isStream = ({ operation }: TripsCall) => operation === 'ServiceTripsMapLive';
const tokenOf = (signature: string): string => TOKEN.replace(/[^.]+$/, signature);

/** A trip that has just come to an end of the line, as one that goes on has. */
const openTrip = (path = LINE) => {
  const seconds = path.length * 10 + 600;
  return wireTrip('trip-1', path, new Date(Date.now() - seconds * 1000 - 20_000).toISOString());
};

/** Waits until the marker of a vehicle is at a position. */
function arrives(page: ElementPage, [lon, lat]: readonly [number, number], selector = '.live-vehicle') {
  return page.page.waitForFunction(
    ([longitude, latitude, name]) => {
      const element = document.querySelector('service-trips-map');
      const marker = element?.shadowRoot?.querySelector(String(name));
      const map = element?.map;
      if (!marker || !map || !('project' in map)) return false;
      const { x, y } = map.project([Number(longitude), Number(latitude)]);
      const [box, around] = [marker.getBoundingClientRect(), map.getContainer().getBoundingClientRect()];
      const [left, top] = [box.x + box.width / 2 - around.x, box.y + box.height / 2 - around.y];
      return Math.hypot(left - x, top - y) < 3;
    },
    [lon, lat, selector] as const,
  );
}

const centerOf = ({ page }: ElementPage) =>
  page.evaluate(() => {
    const map = document.querySelector('service-trips-map')?.map;
    if (!map || !('getCenter' in map)) throw new Error('No map');
    return [map.getCenter().lng, map.getCenter().lat, map.getZoom()].map((value) => Number(value.toFixed(3)));
  });

/** Waits until the view has come to rest, and answers where. */
async function restsAt(page: ElementPage) {
  await page.page.waitForFunction(() => {
    const map = document.querySelector('service-trips-map')?.map;
    return map && 'isMoving' in map && !map.isMoving();
  });
  return centerOf(page);
}

const detailsOf = async (page: ElementPage, name: string) =>
  (await page.events()).filter(({ type }) => type === name).map(({ detail }) => detail);

/** Kinds of the stops that the map has, from bottom to top. */
const kindsOf = ({ page }: ElementPage) =>
  page.evaluate(() => {
    const map = document.querySelector('service-trips-map')?.map;
    if (!map || !('getSource' in map)) throw new Error('No map');
    const source = map.getSource('service-trips-stops')?.serialize() as unknown as {
      data: { features: { properties: { kind: string } }[] };
    };
    return source.data.features.map(({ properties }) => properties.kind);
  });

describe.each(enginesWith('mapbox-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);

  test('the vehicle moves, the line grows with its trip, and the view follows until the reader moves it', async () => {
    let path = LINE;
    pages.service.respond = (call) => (isStream(call) ? { body: STREAM } : pageOf([openTrip(path)]));
    const page = await pages.openElement(LIVE);
    await page.saw('trip-render');
    await page.saw('live-connected');
    pages.service.send(movementTo([11.57, 48.13]));
    await page.saw('live-position');
    await arrives(page, [11.57, 48.13]);
    await expect.poll(() => centerOf(page)).toEqual([11.57, 48.13, expect.closeTo(14, 0)]);
    await expect.poll(() => kindsOf(page)).toEqual(['stop', 'start']);
    const cursor = page.page.locator('[part~=stop]');
    await cursor.focus();
    await page.page.keyboard.press('ArrowRight');
    await cursor.evaluate((button) => button.blur());
    await page.page.getByText(/Live · (now|\d+ sec\. ago)/).waitFor();
    path = [...LINE, [11.57, 48.13]];
    await expect.poll(async () => (await page.lines())[0]?.coordinates.length).toBe(4);
    await expect.poll(() => cursor.getAttribute('aria-label')).toMatch(/^Stop, .* \(2\/2\)$/);
    expect(await detailsOf(page, 'live-connected')).toEqual([{ vehicleKey: 'vehicle-1', transport: 'stream' }]);
    expect(await detailsOf(page, 'live-position')).toEqual([
      expect.objectContaining({ vehicleKey: 'vehicle-1', longitude: 11.57, latitude: 48.13, heading: 90 }),
    ]);
    expect((await page.names()).filter((name) => name === 'trip-render' || name.startsWith('trip-loading'))).toEqual([
      'trip-loading true',
      'trip-loading false',
      'trip-render',
    ]);

    await page.page.mouse.move(300, 300);
    await page.page.mouse.down();
    await page.page.mouse.move(200, 250, { steps: 5 });
    await page.page.mouse.up();
    const follow = page.page.getByRole('button', { name: 'Follow the vehicle' });
    await follow.waitFor();
    const moved = await centerOf(page);
    pages.service.send(movementTo([11.6, 48.14]));
    await page.saw('live-position', 2);
    expect((await restsAt(page)).slice(0, 2)).not.toEqual([11.6, 48.14]);
    expect(moved[2]).toBeCloseTo(14, 0);
    await follow.click();
    await expect.poll(async () => (await centerOf(page)).slice(0, 2)).toEqual([11.6, 48.14]);
    expect(await follow.count()).toBe(0);
    await page.close();
  });
});

describe.each(enginesWith('maplibre-gl'))('live with %s', (engine) => {
  const pages = useElementPages(engine);
  const streaming = (call: TripsCall) => (isStream(call) ? { body: STREAM } : pageOf([openTrip()]));

  test('of "false" opens no stream, and neither does a static map', async () => {
    const page = await pages.openElement({ live: 'false' });
    await page.saw('trip-render');
    await page.set('map-type', 'static');
    await page.set('live', '');
    await page.saw('trip-render', 2);
    expect(pages.service.calls.filter(isStream)).toEqual([]);
    expect(await page.page.locator('[part=live]').count()).toBe(0);
    await page.close();
  });

  test('a day that is past has no live vehicle, unless its last trip goes on', async () => {
    pages.service.respond = (call) => (isStream(call) ? { body: STREAM } : pageOf([wireTrip('trip-1', LINE)]));
    const page = await pages.openElement({ ...LIVE, 'started-after': '2026-11-03' });
    await page.saw('trip-render');
    await page.saw('live-connected');
    pages.service.send(movementTo([11.57, 48.13]));
    await page.saw('live-position');
    expect(await page.page.locator('.live, .live-vehicle').count()).toBe(0);
    expect(await kindsOf(page)).toContain('end');
    pages.service.respond = streaming;
    await page.set('trip-key', 'trip-1');
    await page.page.locator('.live').waitFor();
    pages.service.send(rejected('UNAUTHENTICATED'));
    await page.saw('auth-error');
    await page.close();
  });

  test('elements with the same token share one stream, which ends with the last of them', async () => {
    pages.service.respond = streaming;
    const element = `<service-trips-map ${pages.attributes(LIVE)}></service-trips-map>`;
    const page = await pages.open(element + element);
    await page.saw('live-connected', 2);
    pages.service.send(movementTo([11.57, 48.13]));
    await page.saw('live-position', 2);
    expect(pages.service.streams.size).toBe(1);
    const remove = () => page.page.evaluate(() => document.querySelector('service-trips-map')?.remove());
    await remove();
    pages.service.send(movementTo([11.58, 48.13]));
    await page.saw('live-position', 3);
    await remove();
    await expect.poll(() => pages.service.streams.size).toBe(0);
    await page.close();
  });

  test('shows a trip that is chosen in the list, until the reader follows the vehicle again', async () => {
    const earlier = wireTrip('trip-0', [
      [11.4, 48],
      [11.42, 48.02],
    ]);
    pages.service.respond = (call) => {
      if (isStream(call)) return { body: STREAM };
      const isNewestFirst = call.operation === 'ServiceTripsMapNewest';
      return pageOf(isNewestFirst ? [openTrip(), earlier] : [earlier, openTrip()]);
    };
    const page = await pages.openElement({ ...LIVE, 'trip-list': '' }, { viewport: { width: 900, height: 480 } });
    await page.saw('live-connected');
    pages.service.send(movementTo([11.57, 48.13]));
    await arrives(page, [11.57, 48.13]);
    await page.page.locator('[data-key=trip-0]').click();
    pages.service.send(movementTo([11.58, 48.13]));
    await page.saw('live-position', 2);
    await arrives(page, [11.58, 48.13]);
    const [lon = 0, lat = 0] = await restsAt(page);
    expect([lon, lat]).toEqual([expect.closeTo(11.41, 1), expect.closeTo(48.01, 1)]);
    await page.page.getByRole('button', { name: 'Follow the vehicle' }).click();
    await expect.poll(async () => (await centerOf(page)).slice(0, 2)).toEqual([11.58, 48.13]);
    await page.close();
  });

  test('shows within a minute how late positions have changed the trips of a vehicle that stands', async () => {
    let path = LINE;
    pages.service.respond = (call) => (isStream(call) ? { body: STREAM } : pageOf([openTrip(path)]));
    const page = await pages.openElement(LIVE);
    await page.saw('live-connected');
    path = LINE.slice(0, 2);
    await page.page.evaluate(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 60_000;
    });
    await expect.poll(async () => (await page.lines())[0]?.coordinates.length).toBe(2);
    await page.close();
  });

  test('connects again after an interruption, and resumes with the newest position', async () => {
    pages.service.respond = streaming;
    const page = await pages.openElement(LIVE);
    await page.saw('live-connected');
    for (const stream of pages.service.streams.keys()) stream.destroy();
    await page.saw('live-disconnected');
    await page.saw('live-connected', 2);
    pages.service.send(movementTo([11.57, 48.13]));
    await page.saw('live-position');
    expect(await detailsOf(page, 'live-disconnected')).toMatchObject([{ reason: 'interrupted' }]);
    await page.close();
  });

  test('polls where streams are blocked', async () => {
    pages.service.respond = (call) => (isStream(call) ? { status: 502, body: {} } : pageOf([openTrip()]));
    const page = await pages.openElement(LIVE);
    await page.saw('live-position');
    expect(await detailsOf(page, 'live-connected')).toEqual([{ vehicleKey: 'vehicle-1', transport: 'polling' }]);
    await arrives(page, LINE.at(-1) ?? [0, 0]);
    await page.close();
  });

  test('lets go of the stream while the page is hidden, and comes back', async () => {
    pages.service.respond = streaming;
    const page = await pages.openElement(LIVE);
    await page.saw('live-connected');
    const become = (hidden: boolean) =>
      page.page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await become(true);
    await page.saw('live-disconnected');
    await expect.poll(() => pages.service.streams.size).toBe(0);
    expect(await detailsOf(page, 'live-disconnected')).toMatchObject([{ reason: 'hidden' }]);
    await become(false);
    await page.saw('live-connected', 2);
    await page.close();
  });

  test('goes dark when its token is revoked, and goes on with another', async () => {
    pages.service.respond = streaming;
    const page = await pages.openElement(LIVE);
    await page.saw('trip-render');
    await page.saw('live-connected');
    pages.service.send(rejected('UNAUTHENTICATED'));
    await page.saw('auth-error');
    await page.page.getByText('Please sign in again').waitFor();
    await expect.poll(() => page.lines()).toEqual([]);
    await expect.poll(() => page.page.locator('.live-vehicle').count()).toBe(0);
    expect(await detailsOf(page, 'live-disconnected')).toMatchObject([{ reason: 'refused', message: 'Refused' }]);
    await page.set('service-token', tokenOf('dHdv'));
    await page.saw('live-connected', 2);
    expect(pages.service.calls.filter(isStream).at(-1)?.authorization).toContain('dHdv');
    await page.close();
  });

  test('goes on with the token of a provider, and with a new attribute, without loading the trips again', async () => {
    pages.service.respond = streaming;
    const page = await pages.openElement(LIVE);
    await page.saw('live-connected');
    await page.page.evaluate((token) => {
      const element = document.querySelector('service-trips-map');
      if (element) element.tokenProvider = async () => token;
    }, tokenOf('dHdv'));
    pages.service.send(rejected('UNAUTHENTICATED'));
    await page.saw('live-connected', 2);
    await page.set('service-token', tokenOf('dGhy'));
    await expect.poll(() => [...pages.service.streams.values()]).toEqual([expect.stringContaining('dGhy')]);
    const loads = pages.service.calls.filter(({ operation }) => operation === 'ServiceTripsMap');
    expect(loads).toHaveLength(1);
    expect(await detailsOf(page, 'auth-error')).toEqual([]);
    await page.close();
  });

  test('leaves no listeners behind when positions arrive and trips grow', async () => {
    pages.service.respond = streaming;
    const page = await pages.open('');
    await page.page.evaluate(
      (element) => {
        const counts: Record<string, number> = {};
        const { addEventListener, removeEventListener } = EventTarget.prototype;
        const count = (type: string, by: number): void => {
          // Each request of an engine has a signal of its own, which is discarded with its listeners.
          if (type !== 'abort') counts[type] = (counts[type] ?? 0) + by;
        };
        EventTarget.prototype.addEventListener = function (type, ...rest) {
          count(type, 1);
          return addEventListener.call(this, type, ...rest);
        };
        EventTarget.prototype.removeEventListener = function (type, ...rest) {
          count(type, -1);
          return removeEventListener.call(this, type, ...rest);
        };
        // Trips are loaded again every eight seconds.
        const { setTimeout } = globalThis;
        const sooner = (run: () => void, ms?: number) => setTimeout(run, ms === 8000 ? 500 : ms);
        Object.assign(globalThis, { counts, setTimeout: sooner });
        document.body.insertAdjacentHTML('beforeend', element);
      },
      `<service-trips-map ${pages.attributes(LIVE)}></service-trips-map>`,
    );
    await page.saw('live-connected');
    const listeners = () =>
      page.page.evaluate(() => {
        const { counts } = globalThis as unknown as { counts: Record<string, number> };
        const map = document.querySelector('service-trips-map')?.map as unknown as {
          _listeners: Record<string, unknown[]>;
        };
        const ofMap = Object.entries(map._listeners).map(([type, { length }]) => [`map ${type}`, length] as const);
        return Object.fromEntries([...Object.entries(counts), ...ofMap].filter(([, count]) => count > 0));
      });
    const growths = () => pages.service.calls.filter(({ operation }) => operation.endsWith('Newest')).length;
    let sent = 0;
    const drive = async (times: number) => {
      const until = growths() + times;
      while (growths() < until) {
        pages.service.send(movementTo([11.57 + sent / 1000, 48.13], 60 - sent / 10));
        await page.saw('live-position', ++sent);
      }
      await restsAt(page);
    };
    await drive(2);
    const before = await listeners();
    await drive(3);
    const between = await listeners();
    await drive(3);
    // What is made once is no leak: a leak grows each time.
    const growing = async () =>
      Object.entries(await listeners()).filter(([type, count]) => {
        const [first = 0, second = 0] = [before[type], between[type]];
        return first < second && second < count;
      });
    await expect.poll(growing).toEqual([]);
    await page.close();
  });

  // mapbox-gl writes one place in several fractions.
  test.runIf(engine === 'maplibre-gl').each([
    ['glides to a position', 'no-preference', true],
    ['is set to it where the reader asks for reduced motion', 'reduce', false],
  ] as const)('a vehicle %s', async (_, reducedMotion, glides) => {
    pages.service.respond = streaming;
    const page = await pages.openElement(LIVE, { reducedMotion });
    await page.saw('live-connected');
    pages.service.send(movementTo([11.57, 48.13], 2));
    await arrives(page, [11.57, 48.13]);
    await restsAt(page);
    await page.page.evaluate(() => {
      const element = document.querySelector('service-trips-map');
      const seen = new Set<string>();
      // A frame takes a twentieth of a second by this clock, however busy the machine is.
      let clock = performance.now();
      performance.now = () => clock;
      const places = new Promise<number>((resolve) => {
        const look = (frames: number): void => {
          clock += 50;
          seen.add(element?.shadowRoot?.querySelector<HTMLElement>('.live-vehicle')?.style.transform ?? '');
          if (frames > 0) requestAnimationFrame(() => look(frames - 1));
          else resolve(seen.size);
        };
        element?.addEventListener('live-position', () => look(20), { once: true });
      });
      Object.assign(globalThis, { places });
    });
    pages.service.send(movementTo([11.5705, 48.13]));
    const count = Number(await page.page.evaluate('places'));
    if (glides) expect(count).toBeGreaterThan(3);
    else expect(count).toBeLessThanOrEqual(3);
    await page.close();
  });
});

describe.each(enginesWith('maplibre-gl'))('vehicle-keys with %s', (engine) => {
  const pages = useElementPages(engine);
  const PROVIDED = `<script type="module" nonce="page">
    const element = document.querySelector('service-trips-map');
    element.tokenProvider = async (key) => '${TOKEN}'.replace(/[^.]+$/, key);
    element.vehicleLabels = { north: 'Van North' };
  </script>`;
  const vehicleOf = ({ authorization }: TripsCall) => authorization?.split('.').at(-1) ?? '';
  const shift = (by: number) => LINE.map(([lon, lat]): [number, number] => [lon, lat + by]);

  test('shows each vehicle with its color and name, and one whose token is refused does not take the others down', async () => {
    pages.service.respond = (call) => {
      const vehicle = vehicleOf(call);
      if (vehicle === 'closed') return rejection(401, 'UNAUTHENTICATED', 'Closed');
      if (isStream(call)) return { body: STREAM };
      return pageOf([{ ...wireTrip(vehicle, shift(vehicle === 'north' ? 0.02 : 0)), vehicle_key: vehicle }]);
    };
    const attributes = { ...LIVE, 'vehicle-key': null, 'service-token': null, 'vehicle-keys': 'north, south closed' };
    const page = await pages.open(`<service-trips-map ${pages.attributes(attributes)}></service-trips-map>${PROVIDED}`);
    await page.saw('trip-render');
    await page.saw('live-connected', 2);
    expect(await detailsOf(page, 'auth-error')).toContainEqual({ error: 'Closed' });
    pages.service.send(movementTo([11.57, 48.15]), 'north');
    pages.service.send(movementTo([11.57, 48.13]), 'south');
    await page.saw('live-position', 2);
    await arrives(page, [11.57, 48.15], '[data-vehicle=north]');
    await arrives(page, [11.57, 48.13], '[data-vehicle=south]');
    const list = page.page.getByRole('list', { name: 'Vehicles' });
    await expect
      .poll(() => list.getByRole('button').allTextContents())
      .toEqual([
        expect.stringMatching(/Van North\s*Live/),
        expect.stringMatching(/Vehicle 2\s*Live/),
        expect.stringMatching(/Vehicle 3\s*No access/),
      ]);
    const colors = await page.page.evaluate(() => {
      const root = document.querySelector('service-trips-map')?.shadowRoot;
      return [...(root?.querySelectorAll<HTMLElement>('.live-vehicle') ?? [])].map(({ style }) =>
        style.getPropertyValue('--live-color'),
      );
    });
    expect(new Set(colors).size).toBe(2);
    const names = page.page.locator('.live-vehicle span');
    const visible = async () => (await names.all()).map((name) => name.evaluate((span) => span.checkVisibility()));
    await expect.poll(async () => Promise.all(await visible())).toEqual([true, true]);
    pages.service.send(movementTo([11.57, 48.1501]), 'south');
    await arrives(page, [11.57, 48.1501], '[data-vehicle=south]');
    await expect.poll(() => page.page.locator('.live-vehicle.left').count()).toBe(1);
    await page.page.setViewportSize({ width: 390, height: 480 });
    await expect.poll(async () => Promise.all(await visible())).toEqual([false, false]);
    await page.page.setViewportSize({ width: 640, height: 480 });
    await page.page.locator('.live-vehicle:not(.crowded) span').first().waitFor();
    // In one step, before the view follows the vehicles again.
    const rights = await page.page.evaluate(async () => {
      const element = document.querySelector('service-trips-map');
      const map = element?.map;
      const name = element?.shadowRoot?.querySelector('.live-vehicle:not(.crowded) span');
      const panned = (by: number): number | undefined => {
        if (map && 'panBy' in map) map.panBy([by, 0], { duration: 0 });
        return name?.getBoundingClientRect().right;
      };
      return [panned(-180), panned(360), panned(-180)].map((right = Infinity) => right <= innerWidth);
    });
    expect(rights).toEqual([true, true, true]);
    await page.set('trip-list', '');
    const trips = page.page.locator('.list li');
    await expect
      .poll(() => trips.allTextContents())
      .toEqual([expect.stringMatching(/Van North · 0\.2\smi/), expect.stringMatching(/Vehicle 2 · 0\.2\smi/)]);
    await page.set('trip-list', null);
    await list.getByRole('button', { name: 'Van North' }).click();
    await expect.poll(async () => (await centerOf(page)).slice(0, 2)).toEqual([11.57, 48.15]);
    await page.set('live', null);
    const slope = () =>
      list.locator('li:first-child').evaluate((row) => {
        const [from, until] = ['.swatch', 'b'].map((name) => row.querySelector(name)?.getBoundingClientRect());
        return from && until ? Math.abs(from.y + from.height / 2 - until.y - until.height / 2) : Infinity;
      });
    await expect.poll(slope).toBeLessThan(1.5);
    await page.close();
  });

  test('keeps vehicles that are followed clear of their list', async () => {
    pages.service.respond = (call) => (isStream(call) ? { body: STREAM } : pageOf([]));
    const places = { one: [11.4, 48.16], two: [11.7, 48.1], three: [11.5, 48.12], four: [11.6, 48.11] } as const;
    const attributes = { ...LIVE, 'vehicle-key': null, 'service-token': null };
    const element = `<service-trips-map ${pages.attributes({ ...attributes, 'vehicle-keys': Object.keys(places).join(' ') })}></service-trips-map>`;
    const page = await pages.open(element + PROVIDED, {
      viewport: { width: 768, height: 420 },
      reducedMotion: 'reduce',
    });
    await page.saw('live-connected', 4);
    for (const [key, position] of Object.entries(places)) pages.service.send(movementTo(position), key);
    await page.saw('live-position', 4);
    const free = () =>
      page.page.evaluate(() => {
        const root = document.querySelector('service-trips-map')?.shadowRoot;
        const list = root?.querySelector('.live ul')?.getBoundingClientRect() ?? new DOMRect();
        const vehicles = [...(root?.querySelectorAll<HTMLElement>('.live-vehicle') ?? [])];
        const isFree = ({ left, top }: DOMRect) => left < innerWidth && (left >= list.right || top >= list.bottom);
        return vehicles.map((vehicle) => isFree(vehicle.getBoundingClientRect()));
      });
    await expect.poll(free).toEqual([true, true, true, true]);
    await page.close();
  });

  test('of * shows the vehicles of a group by one stream, in the colors of their motion, with names and a search', async () => {
    pages.service.respond = (call) => (isStream(call) ? { body: STREAM } : pageOf([]));
    const page = await pages.openElement({ 'vehicle-key': null, 'vehicle-keys': '*' });
    await page.saw('live-connected');
    expect(await detailsOf(page, 'live-connected')).toEqual([{ vehicleKey: '*', transport: 'stream' }]);
    const tell = (at: number, fields: object, secondsAgo = 0) => {
      const { vehicleMoved } = movementTo(
        [11.5 + (at % 10) * 0.01, 48.1 + Math.floor(at / 10) * 0.01],
        secondsAgo,
      ).data;
      const vehicle_location = { ...vehicleMoved.vehicle_location, ...fields };
      const movement = { vehicle_key: `v${at}`, nickname: `Van ${at}`, vehicle_location };
      pages.service.send({ data: { vehicleMoved: movement } });
    };
    for (let at = 0; at < 48; at++) tell(at, {});
    tell(48, { speed_mph: 0 });
    tell(49, {}, 3600);
    await page.saw('live-position', 50);
    expect(pages.service.calls).toHaveLength(1);
    const markers = page.page.locator('.live-vehicle');
    await expect.poll(() => markers.count()).toBe(50);
    const colors = await markers.evaluateAll((all) => all.map((one) => one.style.getPropertyValue('--live-color')));
    expect(new Set(colors).size).toBe(3);
    const rows = page.page.getByRole('list', { name: 'Vehicles' }).getByRole('button');
    const textOf = (name: string) => rows.filter({ hasText: name }).textContent();
    expect([await textOf('Van 47'), await textOf('Van 48'), await textOf('Van 49')]).toEqual([
      expect.stringContaining('Moving · '),
      expect.stringContaining('Stopped · '),
      expect.stringContaining('Offline since '),
    ]);
    await page.page.getByRole('searchbox', { name: 'Search' }).fill('van 4');
    await expect.poll(() => rows.count()).toBe(11);
    pages.service.send({ data: { vehicleMoved: { vehicle_key: 'v49', nickname: null, vehicle_location: null } } });
    await expect.poll(() => rows.count()).toBe(10);
    await rows.filter({ hasText: 'Van 47' }).click();
    await expect.poll(async () => (await centerOf(page)).slice(0, 2)).toEqual([11.57, 48.14]);
    await expect.poll(() => pages.service.calls.at(-1)?.variables).toMatchObject({ vehicle_key: 'v47' });
    expect(pages.service.calls.filter(isStream)).toHaveLength(1);
    await page.close();
  });

  test('without a tokenProvider is auth-error', async () => {
    const page = await pages.openElement({ 'vehicle-keys': 'north south', 'map-type': 'static' });
    await page.saw('auth-error');
    expect(await detailsOf(page, 'auth-error')).toEqual([
      { error: 'vehicle-keys requires the property tokenProvider' },
    ]);
    expect(pages.service.calls).toEqual([]);
    await page.close();
  });
});
