import type { Browser, CDPSession, Page } from 'playwright-core';

import { openBrowser } from '../test/browser/browser.ts';
import { atMost, type BenchRow } from './bench-row.ts';
import { type ElementSite, startElementSite } from './element-site.ts';
import { median } from './times.ts';

const POINTS = 1000;
const TOKEN = `${Buffer.from('{"alg":"ES256","typ":"trips+jwt"}').toString('base64url')}.e30.c2ln`;
const SIZE = 'display:block;width:800px;height:500px';

/** Measures the component against mapbox-gl that draws the same lines, and against parsing its file. */
export async function run(rounds = 7): Promise<BenchRow[]> {
  const [site, browser] = await Promise.all([startElementSite(POINTS), openBrowser()]);
  try {
    const bench = new ElementBench(site, browser);
    return [
      await bench.drawing('1 trip', 1, 1.2, rounds),
      await bench.drawing(`50 trips of ${POINTS} positions`, 50, 1.3, rounds),
      await bench.drawing(
        `1000 trips of ${POINTS} positions, simplified by the server`,
        1000,
        0.6,
        Math.ceil(rounds / 2),
      ),
      await bench.parsing(rounds),
    ];
  } finally {
    await browser.close();
    await site.close();
  }
}

class ElementBench {
  readonly #site: ElementSite;
  readonly #browser: Browser;

  constructor(site: ElementSite, browser: Browser) {
    this.#site = site;
    this.#browser = browser;
  }

  /** From connected to `trip-render`, to the same with mapbox-gl alone: CPU time of all of the browser, in warm pages. */
  async drawing(what: string, trips: number, ceiling: number, rounds: number): Promise<BenchRow> {
    const times = await alternate(
      rounds,
      () => this.#cpuOf('/component.js', drawWithComponent, trips),
      () => this.#cpuOf('/mapbox-gl.js', drawPlainly, trips),
    );
    const [component, plain] = times.map(median);
    return rowOf(`${what}: connected to trip-render, to plain mapbox-gl`, component, plain, ceiling);
  }

  /** Script time of a page with a static map, to that of the same bytes within a function that nobody calls. */
  async parsing(rounds: number): Promise<BenchRow> {
    const times = await alternate(
      rounds * 3,
      () => this.#scriptTimeOf('/component.js', true),
      () => this.#scriptTimeOf('/unexecuted.js', false),
    );
    const [executed, parsed] = times.map(median);
    return rowOf('script time of a static page, to parsing the same bytes unexecuted', executed, parsed, 1.5);
  }

  /** Milliseconds of CPU that a page takes for what it draws second: the first time the library itself is got ready. */
  async #cpuOf(script: string, draw: (job: Job) => Promise<void>, trips: number): Promise<number> {
    const page = await this.#open(script);
    const session = await this.#browser.newBrowserCDPSession();
    const job = { site: this.#site.url, token: TOKEN, style: SIZE };
    await page.evaluate(draw, { ...job, trips: 0 });
    await page.evaluate(clear);
    const before = await cpuTime(session);
    await page.evaluate(draw, { ...job, trips });
    const spent = (await cpuTime(session)) - before;
    await session.detach();
    await page.close();
    return spent;
  }

  async #scriptTimeOf(script: string, mount: boolean): Promise<number> {
    const page = await this.#browser.newPage();
    await page.goto(this.#site.url);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const before = await scriptDuration(session);
    // Executed within a task of the page, so that parsing is script time too.
    await page.evaluate(
      async ({ text, attributes }) => {
        const element = document.createElement('script');
        element.textContent = text;
        document.head.append(element);
        if (!attributes) return;
        const map = document.createElement('service-trips-map');
        for (const [name, value] of Object.entries(attributes)) map.setAttribute(name, value);
        const rendered = new Promise((resolve) => map.addEventListener('trip-render', resolve, { once: true }));
        document.body.append(map);
        await rendered;
      },
      { text: await this.#text(script), attributes: mount ? staticAttributes(this.#site.url) : null },
    );
    const spent = (await scriptDuration(session)) - before;
    await page.close();
    return spent;
  }

  async #text(path: string): Promise<string> {
    return (await fetch(this.#site.url + path)).text();
  }

  async #open(script: string): Promise<Page> {
    const page = await this.#browser.newPage({ viewport: { width: 900, height: 600 }, locale: 'en-US' });
    await page.goto(this.#site.url);
    await page.addStyleTag({ url: '/mapbox-gl.css' });
    await page.addScriptTag({ url: script });
    return page;
  }
}

interface Job {
  readonly site: string;
  readonly token: string;
  readonly style: string;
  readonly trips: number;
}

/** Runs in the page. */
async function drawWithComponent({ site, token, style, trips }: Job): Promise<void> {
  const map = document.createElement('service-trips-map');
  const attributes = {
    style,
    'service-url': `${site}/graphql/${trips}`,
    'service-token': token,
    'vehicle-key': 'vehicle',
    'map-style': '/style.json',
  };
  for (const [name, value] of Object.entries(attributes)) map.setAttribute(name, value);
  const rendered = new Promise((resolve) => map.addEventListener('trip-render', resolve, { once: true }));
  document.body.append(map);
  await rendered;
}

/** Runs in the page: takes away what was drawn, and waits until that is done with. */
async function clear(): Promise<void> {
  const { plain } = globalThis as { plain?: { remove(): void } };
  plain?.remove();
  document.body.replaceChildren();
  for (let frame = 0; frame < 20; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Runs in the page: what one writes who has nothing but mapbox-gl and GeoJSON. */
async function drawPlainly({ site, style, trips }: Job): Promise<void> {
  const container = document.createElement('div');
  container.setAttribute('style', style);
  document.body.append(container);
  const { mapboxgl } = globalThis as unknown as { mapboxgl: typeof import('mapbox-gl').default };
  mapboxgl.baseApiUrl = location.origin;
  const request = fetch(`${site}/geojson/${trips}`).then((response) => response.json());
  const map = new mapboxgl.Map({ container, style: '/style.json' });
  Object.assign(globalThis, { plain: map });
  map.addControl(new mapboxgl.NavigationControl({ showCompass: false }));
  const [data] = await Promise.all([request, new Promise((resolve) => map.once('load', resolve))]);
  const bounds = new mapboxgl.LngLatBounds();
  for (const { geometry } of data.features) for (const position of geometry.coordinates) bounds.extend(position);
  if (!bounds.isEmpty()) map.fitBounds(bounds, { padding: 55, duration: 0 });
  map.addSource('trips', { type: 'geojson', data });
  const layer = { type: 'line', source: 'trips', layout: { 'line-cap': 'round', 'line-join': 'round' } } as const;
  map.addLayer({ ...layer, id: 'casing', paint: { 'line-width': 8, 'line-color': '#ffffff' } });
  map.addLayer({ ...layer, id: 'line', paint: { 'line-width': 5, 'line-color': '#2563eb' } });
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (!map.isSourceLoaded('trips')) return;
      map.off('render', check);
      resolve();
    };
    map.on('render', check);
    map.triggerRepaint();
  });
}

function staticAttributes(site: string): Record<string, string> {
  return {
    'service-url': `${site}/graphql/1`,
    'service-token': TOKEN,
    'vehicle-key': 'vehicle',
    'map-type': 'static',
    'map-provider-url': site,
    'map-provider-access-token': 'pk.bench',
  };
}

async function cpuTime(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

async function scriptDuration(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (metric: string): number => metrics.find(({ name }) => name === metric)?.value ?? Number.NaN;
  return (of('ScriptDuration') + of('V8CompileDuration')) * 1000;
}

/** Does works by turns after a warm-up, so that what else the machine does weighs on all of them. */
async function alternate(rounds: number, ...works: (() => Promise<number>)[]): Promise<number[][]> {
  const taken = works.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [at, work] of works.entries()) {
      const took = await work();
      if (round >= 0) taken[at]?.push(took);
    }
  }
  return taken;
}

function rowOf(what: string, ours = Number.NaN, theirs = Number.NaN, ceiling = 1): BenchRow {
  return atMost(what, ours / theirs, ceiling, `${ours.toFixed(0)} ms to ${theirs.toFixed(0)} ms`);
}
