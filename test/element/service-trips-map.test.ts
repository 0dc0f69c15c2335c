import { describe, expect, test } from 'vitest';

import { enginesWith } from '../browser/engines-with.ts';
import { type ElementPage, useElementPages } from '../browser/element-page.ts';
import { LINE, TOKEN } from '../browser/element-site.ts';
import { pageOf, rejection, type TripsAnswer, wireTrip } from '../browser/fake-trips-service.ts';

describe.each(enginesWith('mapbox-gl'))('%s', (engine) => {
  const pages = useElementPages(engine);

  function viewOf({ page }: ElementPage): Promise<number[]> {
    return page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('getCenter' in map)) throw new Error('No map');
      return [map.getCenter().lng, map.getCenter().lat, map.getZoom()].map((value) => Number(value.toFixed(4)));
    });
  }

  describe('loading and drawing', () => {
    test('a trip is loaded, drawn as it was recorded, and says so in order', async () => {
      const page = await pages.openElement();
      await page.saw('trip-render');
      // The map opens while trips load: either may be first.
      const names = await page.names();
      expect(names.filter((name) => name !== 'map-load')).toEqual([
        'mount',
        'trip-loading true',
        'trip-loading false',
        'trip-render',
      ]);
      expect(names.slice(0, -1)).toContain('map-load');
      expect(await page.lines()).toEqual([{ key: 'trip-1', coordinates: LINE }]);
      expect(await page.page.locator('[role=status]').first().textContent()).toMatch(
        /^1 trip; 0\.2 mi; 11 min; Start: /,
      );
      await page.close();
    });

    test('lines are seen before the map is there, and make room for it', async () => {
      const page = await pages.open('');
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.page.route('**/local-style.json', async (route) => {
        await held;
        await route.continue();
      });
      await page.page.evaluate(
        (element) => document.body.insertAdjacentHTML('beforeend', element),
        `<service-trips-map ${pages.attributes({ 'map-style': 'local-style.json' })}></service-trips-map>`,
      );
      const preview = page.page.locator('service-trips-map .preview');
      expect(decodeURIComponent((await preview.getAttribute('src')) ?? '')).toMatch(
        /<path d="M[^"]+" stroke="#2563eb"/,
      );
      expect(await page.names()).not.toContain('map-load');
      release();
      await page.saw('trip-render');
      await expect.poll(() => preview.count()).toBe(0);
      await page.close();
    });

    test('behind an error is the region of the trips, or nothing, but not the default map', async () => {
      const page = await pages.openElement();
      await page.saw('trip-render');
      const view = await viewOf(page);
      pages.service.respond = () => rejection(503, 'INTERNAL', 'Busy');
      await page.page.evaluate(() => document.querySelector('service-trips-map')?.reload());
      await page.page.locator('.veiled').waitFor();
      await expect.poll(() => page.lines()).toEqual([]);
      expect(await viewOf(page)).toEqual(view);
      await page.close();
      const other = await pages.openElement();
      await other.saw('api-error');
      expect(await other.page.locator('#map').evaluate((map) => getComputedStyle(map).opacity)).toBe('0');
      await other.close();
    });

    test('every event bubbles out of shadow roots, cannot be cancelled, and has its detail', async () => {
      const page = await pages.open('<div id="host"></div>');
      const seen = await page.page.evaluate(async (attributes) => {
        const root = (document.querySelector('#host') as HTMLElement).attachShadow({ mode: 'open' });
        root.innerHTML = `<service-trips-map ${attributes}></service-trips-map>`;
        const element = root.firstElementChild as HTMLElementTagNameMap['service-trips-map'];
        const flags: Record<string, boolean> = {};
        for (const type of ['mount', 'map-load', 'trip-loading', 'trip-render', 'unmount']) {
          const target = type === 'unmount' ? element : document;
          target.addEventListener(type, (event) => {
            const { detail, bubbles, composed, cancelable } = event as CustomEvent;
            const due =
              type === 'trip-loading'
                ? typeof detail === 'boolean'
                : type.endsWith('mount')
                  ? detail === element
                  : detail === element.map;
            flags[type] = due && bubbles && composed && !cancelable;
          });
        }
        await new Promise((resolve) => document.addEventListener('trip-render', resolve));
        element.remove();
        return flags;
      }, pages.attributes());
      expect(seen).toEqual({ mount: true, 'map-load': true, 'trip-loading': true, 'trip-render': true, unmount: true });
      await page.close();
    });

    test('no trips: trip-render all the same, at the default centre and zoom', async () => {
      pages.service.respond = () => pageOf([]);
      const page = await pages.openElement({ 'default-center': '13.4,52.5', 'default-zoom': '9' });
      await page.saw('trip-render');
      expect(await viewOf(page)).toEqual([13.4, 52.5, 9]);
      await page.page.getByText('No trips here').waitFor();
      await page.set('default-center', '2.35,48.85');
      await page.page.waitForFunction(() => {
        const map = document.querySelector('service-trips-map')?.map;
        return map && 'getCenter' in map && map.getCenter().lng.toFixed(2) === '2.35';
      });
      await page.close();
    });

    test('trip-key asks for one trip and leaves the times out; without it they go as written', async () => {
      const page = await pages.openElement({ 'trip-key': 'trip-1', 'started-after': 'nonsense' });
      await page.saw('trip-render');
      await page.page.evaluate(() => {
        const map = document.querySelector('service-trips-map');
        map?.setAttribute('started-after', '2026-11-03T08:00+02');
        map?.removeAttribute('trip-key');
      });
      await page.saw('trip-render', 2);
      expect(pages.service.calls[0]?.variables).toMatchObject({ vehicle_key: 'vehicle-1', trip_key: 'trip-1' });
      expect(pages.service.calls[0]?.variables).not.toHaveProperty('started_after');
      expect(pages.service.calls.at(-1)?.variables).toMatchObject({ started_after: '2026-11-03T08:00+02' });
      expect(pages.service.calls.at(-1)?.variables).not.toHaveProperty('trip_key');
      await page.close();
    });

    test('a load that is overtaken is silent, and loading is said in pairs', async () => {
      let release: (answer: TripsAnswer) => void = () => {};
      const held = new Promise<TripsAnswer>((resolve) => {
        release = resolve;
      });
      pages.service.respond = ({ variables }) =>
        variables.vehicle_key === 'vehicle-1' ? held : pageOf([wireTrip('trip-2', LINE)]);
      const page = await pages.openElement();
      await page.saw('map-load');
      await page.set('vehicle-key', 'vehicle-2');
      await page.saw('trip-render');
      release(rejection(500, 'INTERNAL', 'Too late'));
      await page.set('vehicle-key', 'vehicle-3');
      await page.saw('trip-render', 2);
      const names = await page.names();
      expect(names.filter((name) => name.startsWith('trip-loading'))).toEqual([
        'trip-loading true',
        'trip-loading false',
        'trip-loading true',
        'trip-loading false',
      ]);
      expect(names).not.toContain('api-error');
      expect(await page.lines()).toEqual([{ key: 'trip-2', coordinates: LINE }]);
      await page.close();
    });
  });

  /** A static map is there sooner; what is loaded, and told of it, is the same. */
  const QUICK = { 'map-type': 'static' };

  describe('errors', () => {
    test.each([
      ['missing', null, 'This map cannot be shown here'],
      ['none of the service', 'opaque', 'Please sign in again'],
    ])('a token that is %s is auth-error, without a request', async (_, token, text) => {
      const page = await pages.openElement({ ...QUICK, 'service-token': token });
      await page.saw('map-load');
      await page.saw('auth-error');
      expect((await page.names()).filter((name) => name !== 'map-load')).toEqual(['mount', 'auth-error']);
      expect(pages.service.calls).toEqual([]);
      await page.page.getByText(text).waitFor();
      await page.close();
    });

    test.each([
      ['401', rejection(401, 'UNAUTHENTICATED', 'Token expired'), 'auth-error', 'Please sign in again'],
      ['403', rejection(403, 'FORBIDDEN', 'Narrower window'), 'auth-error', 'Narrower window'],
      [
        '500',
        rejection(500, 'INTERNAL_SERVER_ERROR', 'Internal server error'),
        'api-error',
        'The trips could not be loaded',
      ],
    ] as const)('%s is told after loading has ended', async (_, answer, event, text) => {
      pages.service.respond = () => answer;
      const page = await pages.openElement(QUICK);
      await page.saw('map-load');
      expect((await page.names()).filter((name) => name !== 'map-load')).toEqual([
        'mount',
        'trip-loading true',
        'trip-loading false',
        event,
      ]);
      expect((await page.events()).find(({ type }) => type === event)?.detail).toEqual({
        error: answer.body && Object(answer.body).errors[0].message,
      });
      await page.page.getByText(text).waitFor();
      await page.close();
    });

    test('a token for another page is named with both origins, and does not ask for a sign-in', async () => {
      pages.service.respond = () => rejection(401, 'UNAUTHENTICATED', 'The credentials are not valid');
      const claims = Buffer.from('{"aud":"https://other.example"}').toString('base64url');
      const page = await pages.openElement({ ...QUICK, 'service-token': TOKEN.replace('.e30.', `.${claims}.`) });
      const printed = page.page.waitForEvent('console', (message) => message.text().includes('<service-trips-map>'));
      await page.set('vehicle-key', 'vehicle-2');
      const origin = new URL(page.page.url()).origin;
      const reason = `the token is for pages of https://other.example, but this page is from ${origin}`;
      await page.page.getByText(reason).waitFor();
      expect((await printed).text()).toContain(reason);
      await page.page.getByText('This map cannot be shown here').waitFor();
      await page.close();
    });

    test('a policy that blocks the service is named with the directive to change', async () => {
      const page = await pages.openElement(QUICK, { csp: "connect-src 'self'" });
      await page.saw('api-error');
      const { origin } = new URL(pages.service.url);
      await page.page.getByText(`blocks the service: allow \`connect-src ${origin}\``).waitFor();
      await page.close();
    });

    test('a page with Trusted Types is told which policy the map needs', async () => {
      const page = await pages.openElement({}, { csp: "require-trusted-types-for 'script'" });
      await page.saw('error');
      await page.page.getByText('allow a Trusted Types policy named `default`').waitFor();
      expect(await page.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.close();
    });

    test('readers of a page that is not on localhost see a calm sentence, with debug also the reason', async () => {
      const page = await pages.openElement(QUICK);
      const { origin } = new URL(page.page.url());
      const elsewhere = 'http://fleet.example';
      await page.page.route(`${elsewhere}/**`, async (route) => {
        const url = route.request().url();
        if (url.endsWith('/graphql')) return route.fulfill({ status: 500, json: { errors: [{ message: 'Broken' }] } });
        return route.fulfill({ response: await route.fetch({ url: url.replace(elsewhere, origin) }) });
      });
      // The browser lets no public page ask a server of this machine.
      await page.page.route(`${pages.provider.url}/**`, async (route) =>
        route.fulfill({ response: await route.fetch() }),
      );
      await page.page.goto(page.page.url().replace(origin, elsewhere));
      await page.set('service-url', `${elsewhere}/graphql`);
      await page.page.getByText('Please try again in a moment.').waitFor();
      expect(await page.page.getByText('Broken').count()).toBe(0);
      await page.set('debug', '');
      await page.page.getByText('Broken').waitFor();
      await page.close();
    });

    test('after an error the reader tries again, a new token loads immediately', async () => {
      pages.service.respond = () => rejection(503, 'INTERNAL', 'Busy');
      const page = await pages.openElement();
      await page.saw('api-error');
      pages.service.respond = ({ authorization }) =>
        authorization?.endsWith('bmV3') ? pageOf([wireTrip('new', LINE)]) : rejection(401, 'UNAUTHENTICATED', 'Old');
      await page.page.getByRole('button', { name: 'Try again' }).click();
      await page.saw('auth-error');
      await page.page.evaluate(() => {
        const element = document.querySelector('service-trips-map');
        if (element?.serviceToken) element.serviceToken = element.serviceToken.replace(/[^.]+$/, 'bmV3');
      });
      await page.saw('trip-render');
      expect(await page.lines()).toMatchObject([{ key: 'new' }]);
      expect(await page.page.getByText('Please sign in again').isVisible()).toBe(false);
      await page.close();
    });

    test.each([
      ['vehicle-key', { 'vehicle-key': null }],
      ['started-after', { 'started-after': '2026-02-30' }],
      ['started-before', { 'started-before': 'tomorrow' }],
      ['service-url', { 'service-url': null }],
      ['map-provider-access-token', { 'map-provider-access-token': null }],
    ])('%s: error, and nothing is loaded', async (name, changes) => {
      const page = await pages.openElement({ ...QUICK, ...changes });
      await page.saw('error');
      const events = await page.events();
      expect(events.map(({ type }) => type).filter((type) => type !== 'map-load')).toEqual(['mount', 'error']);
      expect(events.find(({ type }) => type === 'error')?.detail).toEqual({ error: expect.stringContaining(name) });
      expect(pages.service.calls).toEqual([]);
      await page.close();
    });

    test('without a token mapbox-gl says which file draws maps without one, and that file draws one', async () => {
      const page = await pages.openElement({ 'map-provider-access-token': null, 'map-style': 'local-style.json' });
      if (engine === 'mapbox-gl') {
        await page.saw('error');
        await page.page.getByText('service-web-components.maplibre.umd.js').waitFor();
      } else await page.saw('trip-render');
      expect(pages.provider.requests).toEqual([]);
      await page.close();
    });

    test('a token that scripts provide only when the page has loaded is not missing', async () => {
      const element = `<service-trips-map ${pages.attributes({ ...QUICK, 'service-token': null })}></service-trips-map>`;
      const hydrates = `<script nonce="page">addEventListener('load', () => setTimeout(() => {
        document.querySelector('service-trips-map').tokenProvider = async () => '${TOKEN}';
      }))</script>`;
      const page = await pages.open(element + hydrates);
      await page.saw('trip-render');
      expect((await page.names()).filter((name) => name !== 'map-load')).toEqual([
        'mount',
        'trip-loading true',
        'trip-loading false',
        'trip-render',
      ]);
      await page.close();
    });

    test('a request that is wrong names the attribute, and offers no retry', async () => {
      pages.service.respond = () => rejection(400, 'BAD_REQUEST', 'started_after must be before started_before');
      const page = await pages.openElement(QUICK);
      await page.page.getByText('started-after must be before started-before').waitFor();
      await page.page.getByText('This map cannot be shown here').waitFor();
      expect(await page.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.close();
    });

    test('trips that could not be loaded are loaded when the browser is online again', async () => {
      pages.service.respond = () => rejection(503, 'INTERNAL', 'Busy');
      const page = await pages.openElement(QUICK);
      await page.saw('api-error');
      pages.service.respond = () => pageOf([wireTrip('trip-1', LINE)]);
      await page.page.evaluate(() => dispatchEvent(new Event('online')));
      await page.saw('trip-render');
      await page.close();
    });

    test('without the style of the map its lines are drawn, and the style is tried again online', async () => {
      const style =
        engine === 'mapbox-gl' ? 'mapbox://styles/someone/missing' : `${pages.provider.url}/styles/v1/mapbox/x`;
      const page = await pages.openElement({ 'map-style': style });
      await page.saw('trip-render');
      expect(await page.lines()).toEqual([{ key: 'trip-1', coordinates: LINE }]);
      expect(await page.names()).toContain('error');
      await page.page.getByText('Lines only, without a map').waitFor();
      expect(await page.page.getByRole('alert').count()).toBe(0);
      await page.page.evaluate(() => dispatchEvent(new Event('online')));
      await page.saw('trip-render', 2);
      await page.set('map-style', 'local-style.json');
      await expect.poll(() => page.page.getByText('Lines only, without a map').count()).toBe(0);
      await page.close();
    });

    test('a map that is refused is an error that the reader sees', async () => {
      const page = await pages.openElement(
        engine === 'mapbox-gl' ? { 'map-provider-access-token': 'sk.wrong' } : {},
        engine === 'mapbox-gl' ? {} : { csp: "worker-src 'none'" },
      );
      await page.saw('error');
      await page.page.getByText('The map could not be shown').waitFor();
      await page.close();
    });
  });
});
