import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import type { TripsMapEvents } from '../../element/trips-map-events.ts';
import { openBrowser } from '../browser.ts';
import { type FakeMapProvider, startFakeMapProvider } from '../fake-map-provider.ts';
import { builtFile } from './built-file.ts';
import { type FakeTripsService, startFakeTripsService } from './fake-trips-service.ts';

/** An event as a page has seen it: its name, and its detail in a form that crosses to the test. */
export interface SeenEvent {
  readonly type: keyof TripsMapEvents;
  readonly detail: unknown;
}

const EVENT_NAMES: readonly (keyof TripsMapEvents)[] = [
  'mount',
  'unmount',
  'map-load',
  'trip-loading',
  'api-error',
  'auth-error',
  'trip-render',
  'error',
  'address-not-found',
];

/** A token of the right form; the loopback service does not look at it. */
export const TOKEN = `${Buffer.from('{"alg":"ES256","typ":"trips+jwt"}').toString('base64url')}.e30.c2ln`;

/** Browser, provider, service and a site that embeds the built file; one for a test file. */
export class ElementPages {
  readonly browser: Browser;
  readonly provider: FakeMapProvider;
  readonly service: FakeTripsService;
  readonly #site: Site;

  private constructor(browser: Browser, provider: FakeMapProvider, service: FakeTripsService, site: Site) {
    this.browser = browser;
    this.provider = provider;
    this.service = service;
    this.#site = site;
  }

  static async start(): Promise<ElementPages> {
    const [browser, provider, service, site] = await Promise.all([
      openBrowser(),
      startFakeMapProvider(),
      startFakeTripsService(),
      startSite(await builtFile()),
    ]);
    return new ElementPages(browser, provider, service, site);
  }

  /** Attributes with which an element shows a map of `vehicle-1`; `null` takes one away. */
  attributes(changes: Readonly<Record<string, string | null>> = {}): string {
    const attributes = {
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
  async open(body: string, { csp, ...context }: BrowserContextOptions & { csp?: string } = {}): Promise<ElementPage> {
    const page = await this.browser.newPage({
      viewport: { width: 960, height: 600 },
      locale: 'en-US',
      timezoneId: 'UTC',
      ...context,
    });
    const path = this.#site.add(body, csp);
    await page.goto(`${this.#site.url}${path}`);
    return new ElementPage(page);
  }

  /** A page with one element. */
  openElement(
    changes: Readonly<Record<string, string | null>> = {},
    options: BrowserContextOptions & { csp?: string } = {},
  ): Promise<ElementPage> {
    return this.open(`<service-trips-map ${this.attributes(changes)}></service-trips-map>`, options);
  }

  async close(): Promise<void> {
    await this.browser.close();
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

  close(): Promise<void> {
    return this.page.close();
  }
}

interface Site {
  readonly url: string;
  add(body: string, csp: string | undefined): string;
  close(): Promise<void>;
}

/** Serves the built file and pages that embed it. */
async function startSite(file: string): Promise<Site> {
  const script = await readFile(file);
  const pages: { body: string; csp: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === '/service-web-components.umd.js')
      return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    if (request.url === '/local-style.json' || request.url === '/local-style-dark.json') {
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(await readFile(new URL(`../../element${request.url}`, import.meta.url)));
    }
    const page = pages[Number(request.url?.slice(1))];
    if (!page) return response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(page.csp ? { 'content-security-policy': page.csp } : {}),
    });
    response.end(htmlOf(page.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    add: (body, csp) => String(pages.push({ body, csp }) - 1),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function htmlOf(body: string): string {
  return `<!doctype html><html lang="en-US"><meta charset="utf-8"><title>Embedding page</title>
<style>body{margin:24px;font-family:"Open Sans",sans-serif;--trips-map-font:"Open Sans",sans-serif}</style>
<script>
  seen = [];
  const plain = (detail) => detail instanceof Error ? { error: detail.message } : detail instanceof HTMLElement ? detail.localName
    : typeof detail === 'object' && 'getStyle' in detail ? 'map' : detail;
  for (const type of ${JSON.stringify(EVENT_NAMES)}) document.addEventListener(type, (event) => {
    if (event instanceof CustomEvent) seen.push({ type, detail: plain(event.detail) });
  });
</script>
<script type="module" src="/service-web-components.umd.js"></script>
${body}</html>`;
}
