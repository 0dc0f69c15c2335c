import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import type { LonLat } from '../../element/trips/trip.ts';
import type { TripsMapEvents } from '../../element/trips-map-events.ts';
import { closePages, sharedBrowser } from './browser.ts';
import { FAKE_ADDRESS, type FakeMapProvider, startFakeMapProvider } from '../services/fake-map-provider.ts';
import type { Engine } from './built-file.ts';
import { type EmbeddingSite, startEmbeddingSite } from './embedding-site.ts';
import { type FakeTripsService, pageOf, startFakeTripsService, wireTrip } from './fake-trips-service.ts';

/** An event as a page has seen it: its name, and its detail in a form that crosses to the test. */
export interface SeenEvent {
  readonly type: keyof TripsMapEvents;
  readonly detail: unknown;
}

/** A token of the right form; the loopback service does not look at it. */
export const TOKEN = `${Buffer.from('{"alg":"ES256","typ":"trips+jwt"}').toString('base64url')}.e30.c2ln`;

/** Options of a page, in addition to those of the browser. */
export interface PageOptions extends BrowserContextOptions {
  /** The page's Content-Security-Policy. */
  readonly csp?: string;
  /** The GraphQL address that the server has written into the page's copy of the component. */
  readonly filled?: string;
}

/** Path of the trip with which the service answers by default. */
export const LINE: LonLat[] = [
  [11.5, 48.1],
  [11.52, 48.12],
  [11.56, 48.13],
];

/** Gives a test file its pages. Before each test the service knows one trip, along {@link LINE}, and nobody has asked. */
export function useElementPages(engine: Engine = 'mapbox-gl'): ElementPages {
  const pages = new ElementPages(engine);
  beforeAll(() => pages.start());
  afterAll(() => pages.close());
  beforeEach(() => {
    pages.provider.requests.length = 0;
    pages.provider.geocode = [FAKE_ADDRESS];
    pages.service.calls.length = 0;
    pages.service.respond = () => pageOf([wireTrip('trip-1', LINE)]);
  });
  return pages;
}

/** Browser, provider, service and a site that embeds the built file; there in tests and later hooks only. */
export class ElementPages {
  browser!: Browser;
  provider!: FakeMapProvider;
  service!: FakeTripsService;
  #site!: EmbeddingSite;

  constructor(private readonly engine: Engine) {}

  async start(): Promise<void> {
    [this.browser, this.provider, this.service, this.#site] = await Promise.all([
      sharedBrowser(),
      startFakeMapProvider(),
      startFakeTripsService(),
      startEmbeddingSite(this.engine),
    ]);
  }

  /** Attributes with which an element shows a map of `vehicle-1`; `null` takes one away. */
  attributes(changes: Readonly<Record<string, string | null>> = {}): string {
    const attributes = {
      ...(this.engine === 'maplibre-gl' ? { 'map-style': 'local-style.json' } : {}),
      'map-provider-url': this.provider.url,
      'map-provider-access-token': 'pk.test',
      'service-url': this.service.url,
      'service-token': TOKEN,
      'vehicle-key': 'vehicle-1',
      ...changes,
    };
    return Object.entries(attributes)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name}="${String(value).replaceAll('"', '&quot;')}"`)
      .join(' ');
  }

  /** Opens a page with this body, which loads the component as a module and records its events. */
  async open(body: string, { csp, filled, ...context }: PageOptions = {}): Promise<ElementPage> {
    const page = await this.browser.newPage({
      viewport: { width: 640, height: 480 },
      locale: 'en-US',
      timezoneId: 'UTC',
      ...context,
    });
    await page.goto(this.#site.add({ body, csp, filled }));
    return new ElementPage(page);
  }

  /** A page with one element. */
  openElement(changes: Readonly<Record<string, string | null>> = {}, options: PageOptions = {}): Promise<ElementPage> {
    return this.open(`<service-trips-map ${this.attributes(changes)}></service-trips-map>`, options);
  }

  async close(): Promise<void> {
    await closePages(this.browser);
    await Promise.all([this.provider.close(), this.service.close(), this.#site.close()]);
  }
}

/** One open page. */
export class ElementPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Waits until an event has come `times` times. */
  async saw(type: keyof TripsMapEvents, times = 1): Promise<void> {
    const condition = ([name, count]: [string, number]): boolean =>
      (globalThis as unknown as { seen: SeenEvent[] }).seen.filter((event) => event.type === name).length >= count;
    await this.page
      .waitForFunction(condition, [type, times] as [string, number], { timeout: 15_000 })
      .catch(async () => {
        throw new Error(`No ${type} (${times}); seen: ${JSON.stringify(await this.events())}`);
      });
  }

  /** Every event so far. */
  events(): Promise<SeenEvent[]> {
    return this.page.evaluate(() => (globalThis as unknown as { seen: SeenEvent[] }).seen);
  }

  /** The names of the events so far, `trip-loading` with its detail. */
  async names(): Promise<string[]> {
    return (await this.events()).map(({ type, detail }) => (type === 'trip-loading' ? `${type} ${detail}` : type));
  }

  /** Sets an attribute, or takes it away. */
  async set(name: string, value: string | null): Promise<void> {
    await this.page.evaluate(
      ([attribute, text]) => {
        const element = document.querySelector('service-trips-map');
        if (text === null) element?.removeAttribute(attribute);
        else element?.setAttribute(attribute, text);
      },
      [name, value] as [string, string | null],
    );
  }

  /** The lines in the documented source of the map. */
  lines(): Promise<{ key: string; coordinates: number[][] }[]> {
    return this.page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      if (!map || !('getSource' in map)) throw new Error('No map');
      const source = map.getSource('service-trips')?.serialize() as unknown as {
        data: { features: { properties: { key: string }; geometry: { coordinates: number[][] } }[] };
      };
      return source.data.features.map(({ properties, geometry }) => ({
        key: properties.key,
        coordinates: geometry.coordinates,
      }));
    });
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
