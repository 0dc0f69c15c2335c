import 'reflect-metadata';

import type { Browser, CDPSession, Page } from 'playwright-core';

import { openBrowser } from '../test/browser/browser.ts';
import { atMost, type BenchRow } from './bench-row.ts';
import { type ElementSite, type Engine, startElementSite } from './element-site.ts';
import { median } from './times.ts';

const POINTS = 1000;
const TOKEN = `${Buffer.from('{"alg":"ES256","typ":"trips+jwt"}').toString('base64url')}.e30.c2ln`;
/** Frames over which a pan is measured. */
const PAN_FRAMES = 60;
const SIZE = 'display:block;width:800px;height:500px';

/** Measures the component with each engine against that engine, drawing the same lines, and against parsing its file. */
export async function run(rounds = 7): Promise<BenchRow[]> {
  const [site, browser] = await Promise.all([startElementSite(POINTS), openBrowser()]);
  try {
    const rows: BenchRow[] = [];
    for (const engine of ['mapbox-gl', 'maplibre-gl'] as const) {
      const bench = new ElementBench(site, browser, engine);
      rows.push(
        await bench.drawing('1 trip', 1, 1.1, rounds),
        await bench.drawing(`50 trips of ${POINTS} positions`, 50, 1.3, rounds),
        await bench.drawing(
          `1000 trips of ${POINTS} positions, simplified by the server`,
          1000,
          0.45,
          Math.ceil(rounds / 2),
        ),
        await bench.panning(50, 12, 1.1, rounds),
        await bench.parsing(rounds),
      );
    }
    return rows;
  } finally {
    await browser.close();
    await site.close();
  }
}

class ElementBench {
  readonly #site: ElementSite;
  readonly #browser: Browser;

  readonly #engine: Engine;

  constructor(site: ElementSite, browser: Browser, engine: Engine) {
    this.#site = site;
    this.#browser = browser;
    this.#engine = engine;
  }

  /** From connected to `trip-render`, to the same with the engine alone: CPU time of all of the browser, in warm pages. */
  async drawing(what: string, trips: number, ceiling: number, rounds: number): Promise<BenchRow> {
    const times = await alternate(
      rounds,
      () => this.#cpuOf('component.js', drawWithComponent, trips),
      () => this.#cpuOf('plain.js', drawPlainly, trips),
    );
    const [component, plain] = times.map(median);
    return rowOf(`${what}: connected to trip-render, to plain ${this.#engine}`, component, plain, ceiling);
  }

  /** Main thread of a frame that pans trips with stops, to the same lines alone with the engine: script, style and layout. */
  async panning(trips: number, stops: number, ceiling: number, rounds: number): Promise<BenchRow> {
    const times = await alternate(
      rounds,
      () => this.#frameOf('component.js', drawWithComponent, trips, stops),
      () => this.#frameOf('plain.js', drawPlainly, trips, 0),
    );
    const [component = Number.NaN, plain = Number.NaN] = times.map(median);
    const detail = `${component.toFixed(1)} ms to ${plain.toFixed(1)} ms`;
    const what = `a frame that pans ${trips} trips with ${trips * stops} stops, to plain ${this.#engine} with their lines`;
    return atMost(what, component / plain, ceiling, detail);
  }

  /** Script time of a page with a static map, to that of the same bytes within a function that nobody calls. */
  async parsing(rounds: number): Promise<BenchRow> {
    const times = await alternate(
      rounds * 3,
      () => this.#scriptTimeOf('component.js', true),
      () => this.#scriptTimeOf('unexecuted.js', false),
    );
    const [executed, parsed] = times.map(median);
    return rowOf(
      `script time of a static page, to parsing the same bytes unexecuted (${this.#engine})`,
      executed,
      parsed,
      1.5,
    );
  }

  /** Milliseconds of CPU that a page takes for what it draws second: the first time the library itself is got ready. */
  async #cpuOf(script: string, draw: (job: Job) => Promise<void>, trips: number): Promise<number> {
    const page = await this.#open(script);
    const session = await this.#browser.newBrowserCDPSession();
    const job = { site: this.#site.url, token: TOKEN, style: SIZE, stops: 0 };
    await page.evaluate(draw, { ...job, trips: 0 });
    await page.evaluate(clear);
    const before = await cpuTime(session);
    await page.evaluate(draw, { ...job, trips });
    const spent = (await cpuTime(session)) - before;
    await session.detach();
    await page.close();
    return spent;
  }

  /** Milliseconds that the main thread of a page works for one of {@link PAN_FRAMES} frames in which the map is panned. */
  async #frameOf(script: string, draw: (job: Job) => Promise<void>, trips: number, stops: number): Promise<number> {
    const page = await this.#open(script);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    await page.evaluate(draw, { site: this.#site.url, token: TOKEN, style: SIZE, trips, stops });
    await page.evaluate(pan, 10);
    const before = await workDuration(session);
    await page.evaluate(pan, PAN_FRAMES);
    const spent = (await workDuration(session)) - before;
    await page.close();
    return spent / PAN_FRAMES;
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

  async #text(script: string): Promise<string> {
    return (await fetch(`${this.#site.url}/${this.#engine}/${script}`)).text();
  }

  async #open(script: string): Promise<Page> {
    const page = await this.#browser.newPage({ viewport: { width: 900, height: 600 }, locale: 'en-US' });
    await page.goto(this.#site.url);
    await page.addStyleTag({ url: `/${this.#engine}/plain.css` });
    await page.addScriptTag({ url: `/${this.#engine}/${script}` });
    return page;
  }
}

interface Job {
  readonly site: string;
  readonly token: string;
  readonly style: string;
  readonly trips: number;
  /** Stops of each trip. */
  readonly stops: number;
}

/** Runs in the page. */
async function drawWithComponent({ site, token, style, trips, stops }: Job): Promise<void> {
  const map = document.createElement('service-trips-map');
  const attributes = {
    style,
    'service-url': `${site}/graphql/${trips}/${stops}`,
    'service-token': token,
    'vehicle-key': 'vehicle',
    'map-style': '/style.json',
    'map-provider-url': site,
    'map-provider-access-token': 'pk.bench',
  };
  for (const [name, value] of Object.entries(attributes)) map.setAttribute(name, value);
  const rendered = new Promise((resolve) => map.addEventListener('trip-render', resolve, { once: true }));
  document.body.append(map);
  await rendered;
}

/** Runs in the page: moves the map by a few pixels in each of some frames, and back. */
async function pan(frames: number): Promise<void> {
  const { plain } = globalThis as { plain?: import('mapbox-gl').Map };
  const element = document.querySelector('service-trips-map') as { readonly map?: import('mapbox-gl').Map } | null;
  const map = plain ?? element?.map;
  if (!map) throw new Error('There is no map to pan');
  for (let frame = 0; frame < frames; frame++) {
    map.panBy([frame % 20 < 10 ? 4 : -4, 0], { duration: 0 });
    await new Promise((resolve) => map.once('render', resolve));
  }
}

/** Runs in the page: takes away what was drawn, and waits until that is done with. */
async function clear(): Promise<void> {
  const { plain } = globalThis as { plain?: { remove(): void } };
  plain?.remove();
  document.body.replaceChildren();
  for (let frame = 0; frame < 20; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Runs in the page: what one writes who has nothing but the engine and GeoJSON, and knows both well. */
async function drawPlainly({ site, style, trips }: Job): Promise<void> {
  const container = document.createElement('div');
  container.setAttribute('style', style);
  document.body.append(container);
  type Library = typeof import('mapbox-gl').default;
  const { mapboxgl, maplibregl } = globalThis as unknown as { mapboxgl?: Library; maplibregl?: Library };
  const library = mapboxgl ?? (maplibregl as Library);
  if (mapboxgl) Object.assign(mapboxgl, { baseApiUrl: location.origin, accessToken: 'pk.bench' });
  const data = await fetch(`${site}/geojson/${trips}`).then((response) => response.json());
  const bounds = new library.LngLatBounds();
  for (const { geometry } of data.features) for (const position of geometry.coordinates) bounds.extend(position);
  const view = bounds.isEmpty() ? {} : { bounds, fitBoundsOptions: { padding: 55 } };
  const map = new library.Map({ container, style: '/style.json', ...view });
  Object.assign(globalThis, { plain: map });
  map.addControl(new library.NavigationControl({ showCompass: false }));
  await new Promise((resolve) => map.once('load', resolve));
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

/** Milliseconds of script, style and layout: what waits for the graphics card is no work of the page. */
async function workDuration(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const counted = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];
  return metrics.reduce((sum, { name, value }) => sum + (counted.includes(name) ? value * 1000 : 0), 0);
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
