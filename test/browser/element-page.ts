import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import type { TripsMapEvents } from '../../element/trips-map-events.ts';
import { closePages, sharedBrowser } from './browser.ts';
import type { Engine } from './built-file.ts';
import { ElementSite } from './element-site.ts';

/** An event as a page has seen it: its name, and its detail in a form that crosses to the test. */
export interface SeenEvent {
  readonly type: keyof TripsMapEvents;
  readonly detail: unknown;
}

/** Options of a page, in addition to those of the browser. */
export interface PageOptions extends BrowserContextOptions {
  /** The page's Content-Security-Policy. */
  readonly csp?: string;
  /** The GraphQL address that the server has written into the page's copy of the component. */
  readonly filled?: string;
  /** Attributes of the page's root element; English if absent. */
  readonly root?: string;
}

/** Gives a test file its pages. Before each test the service knows one trip, along {@link LINE}, and nobody has asked. */
export function useElementPages(engine: Engine = 'mapbox-gl'): ElementPages {
  const pages = new ElementPages(engine);
  beforeAll(() => pages.start());
  afterAll(() => pages.close());
  beforeEach(() => pages.reset());
  return pages;
}

/** An {@link ElementSite} and the browser that opens its pages; there in tests and later hooks only. */
export class ElementPages extends ElementSite {
  browser!: Browser;

  override async start(): Promise<void> {
    [this.browser] = await Promise.all([sharedBrowser(), super.start()]);
  }

  /** Opens a page with this body, which loads the component as a module and records its events. */
  async open(body: string, { csp, filled, root, ...context }: PageOptions = {}): Promise<ElementPage> {
    const page = await this.browser.newPage({
      viewport: { width: 640, height: 480 },
      locale: 'en-US',
      timezoneId: 'UTC',
      ...context,
    });
    page.setDefaultTimeout(60_000);
    await page.goto(this.addPage({ body, csp, filled, root }));
    return new ElementPage(page);
  }

  /** A page with one element. */
  openElement(changes: Readonly<Record<string, string | null>> = {}, options: PageOptions = {}): Promise<ElementPage> {
    return this.open(`<service-trips-map ${this.attributes(changes)}></service-trips-map>`, options);
  }

  override async close(): Promise<void> {
    await closePages(this.browser);
    await super.close();
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
    await this.page.waitForFunction(condition, [type, times] as [string, number]).catch(async () => {
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
