import 'reflect-metadata';

import type { Browser, CDPSession, Page } from 'playwright-core';

import { openBrowser } from '../../test/browser/browser.ts';
import { atMost, type BenchRow } from '../bench-row.ts';
import { type ElementSite, type Engine, startElementSite } from './element-site.ts';
import { byTurns, median } from '../times.ts';

const POINTS = 1000;
const TOKEN = `${Buffer.from('{"alg":"ES256","typ":"trips+jwt"}').toString('base64url')}.e30.c2ln`;
/** Frames over which a motion of the map is measured. */
const FRAMES = 60;
/** Times that a page loads trips before its memory is measured, and at first. */
const LOADS = 50;
const FIRST_LOADS = 5;
const SIZE = 'display:block;width:800px;height:500px';

/** Measures the component with each engine against that engine, drawing the same lines and stops, and against parsing its file. */
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
        ...(await bench.moving('pans', 50, 12, rounds)),
        ...(await bench.moving('zooms', 50, 12, rounds)),
        ...(await bench.remembering(50, 12)),
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
    const times = await byTurns(rounds, 1, [
      () => this.#cpuOf('component.js', drawWithComponent, trips),
      () => this.#cpuOf('plain.js', drawPlainly, trips),
    ]);
    const [component, plain] = times.map(median);
    return rowOf(`${what}: connected to trip-render, to plain ${this.#engine}`, component, plain, ceiling);
  }

  /**
   * CPU time of the main thread for a frame that moves trips with stops, to the engine with the same lines alone, and to the
   * engine with the same lines and stops; what the component adds to the former, to 4 ms.
   */
  async moving(motion: Motion, trips: number, stops: number, rounds: number): Promise<BenchRow[]> {
    const times = await byTurns(rounds, 1, [
      () => this.#frameOf('component.js', drawWithComponent, motion, trips, stops),
      () => this.#frameOf('plain.js', drawPlainly, motion, trips, 0),
      () => this.#frameOf('plain.js', drawPlainly, motion, trips, stops),
    ]);
    const [component = Number.NaN, lines = Number.NaN, all = Number.NaN] = times.map(median);
    const what = `a frame that ${motion} ${trips} trips with ${trips * stops} stops`;
    const detailOf = (plain: number): string => `${component.toFixed(2)} ms to ${plain.toFixed(2)} ms of CPU`;
    const plainly = `to plain ${this.#engine} with their lines`;
    const share = component - lines;
    return [
      atMost(`${what}, ${plainly}`, component / lines, 1.1, detailOf(lines)),
      atMost(`${what}, ${plainly} and stops`, component / all, 1.1, detailOf(all)),
      atMost(`${what}, what it adds to plain ${this.#engine}, to 4 ms`, share / 4, 1, `${share.toFixed(2)} ms of CPU`),
    ];
  }

  /** Heap of a page that has loaded trips {@link LOADS} times and shows the last, to that after the first few, and to the engine. */
  async remembering(trips: number, stops: number): Promise<BenchRow[]> {
    const [first, component] = await this.#heapsOf('component.js', drawWithComponent, trips, stops);
    const [, plain] = await this.#heapsOf('plain.js', drawPlainly, trips, stops);
    const what = `heap after ${LOADS} loads of ${trips} trips with ${trips * stops} stops`;
    const detailOf = (other: number): string => `${component.toFixed(1)} MB to ${other.toFixed(1)} MB`;
    return [
      atMost(`${what}, to that after ${FIRST_LOADS} (${this.#engine})`, component / first, 1.1, detailOf(first)),
      atMost(`${what}, to plain ${this.#engine} with their lines and stops`, component / plain, 1.1, detailOf(plain)),
    ];
  }

  /** Script time of a page with a static map, to that of the same bytes within a function that nobody calls. */
  async parsing(rounds: number): Promise<BenchRow> {
    const times = await byTurns(rounds * 3, 1, [
      () => this.#scriptTimeOf('component.js', true),
      () => this.#scriptTimeOf('unexecuted.js', false),
    ]);
    const [executed, parsed] = times.map(median);
    return rowOf(
      `script time of a static page, to parsing the same bytes unexecuted (${this.#engine})`,
      executed,
      parsed,
      1.5,
    );
  }

  /** Milliseconds of CPU that a page takes for what it draws second: the first time the library itself is got ready. */
  async #cpuOf(script: string, draw: Draw, trips: number): Promise<number> {
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

  /** Milliseconds of CPU that the main thread of a page takes for one of {@link FRAMES} frames in which the map moves. */
  async #frameOf(script: string, draw: Draw, motion: Motion, trips: number, stops: number): Promise<number> {
    const page = await this.#open(script);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.evaluate(draw, { site: this.#site.url, token: TOKEN, style: SIZE, trips, stops });
    await page.evaluate(rest);
    await page.evaluate(move, { motion, frames: 20 });
    const before = await workDuration(session);
    await page.evaluate(move, { motion, frames: FRAMES });
    const spent = (await workDuration(session)) - before;
    await page.close();
    return spent / FRAMES;
  }

  /** Megabytes of JavaScript of a page after the first loads, and after all. */
  async #heapsOf(script: string, draw: Draw, trips: number, stops: number): Promise<readonly [number, number]> {
    const page = await this.#open(script);
    const session = await page.context().newCDPSession(page);
    const job = { site: this.#site.url, token: TOKEN, style: SIZE, trips, stops };
    const load = async (times: number): Promise<number> => {
      for (let time = 0; time < times; time++) {
        await page.evaluate(clear);
        await page.evaluate(draw, job);
      }
      await page.evaluate(rest);
      return heapSize(session);
    };
    const heaps = [await load(FIRST_LOADS), await load(LOADS - FIRST_LOADS)] as const;
    await page.close();
    return heaps;
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

/** A function of the page that draws trips, and resolves when they are on the screen. */
type Draw = (job: Job) => Promise<void>;

type Motion = 'pans' | 'zooms';

type PlainMap = import('mapbox-gl').Map;

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

/**
 * Runs in the page: waits until the map has drawn all that it has. Until then an engine places all symbols again in each frame,
 * which nobody has who moves a map that is there.
 */
async function rest(): Promise<void> {
  const { plain } = globalThis as { plain?: PlainMap };
  const element = document.querySelector('service-trips-map') as { readonly map?: PlainMap } | null;
  const map = plain ?? element?.map;
  if (!map) throw new Error('There is no map');
  await new Promise((resolve) => {
    map.once('idle', resolve);
    map.triggerRepaint();
  });
}

/** Runs in the page: moves the map a little in each of some frames, by ten there and by ten back. */
async function move({ motion, frames }: { readonly motion: Motion; readonly frames: number }): Promise<void> {
  const { plain } = globalThis as { plain?: PlainMap };
  const element = document.querySelector('service-trips-map') as { readonly map?: PlainMap } | null;
  const map = plain ?? element?.map;
  if (!map) throw new Error('There is no map to move');
  for (let frame = 0; frame < frames; frame++) {
    const way = frame % 20 < 10 ? 1 : -1;
    if (motion === 'pans') map.panBy([way * 4, 0], { duration: 0 });
    else map.zoomTo(map.getZoom() + way * 0.1, { duration: 0 });
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
async function drawPlainly({ site, style, trips, stops }: Job): Promise<void> {
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
  if (stops > 0) {
    map.on('styleimagemissing', ({ id }) => {
      const pen = Object.assign(document.createElement('canvas'), { width: 24, height: 24 }).getContext('2d');
      if (!pen || map.hasImage(id)) return;
      pen.fillText(id, 6, 16);
      map.addImage(id, pen.getImageData(0, 0, 24, 24));
    });
    const points = await fetch(`${site}/geojson/${trips}/${stops}`).then((response) => response.json());
    const clusters = { cluster: true, clusterRadius: 22, clusterMaxZoom: 14 };
    map.addSource('stops', { type: 'geojson', data: points, ...clusters });
    const paint = { 'circle-radius': 3.5, 'circle-color': '#ffffff', 'circle-stroke-width': 2 };
    map.addLayer({ id: 'dots', type: 'circle', source: 'stops', filter: ['!', ['has', 'point_count']], paint });
    map.addLayer({
      ...{ id: 'clusters', type: 'symbol', source: 'stops', filter: ['has', 'point_count'] },
      layout: { 'icon-image': ['to-string', ['get', 'point_count']], 'icon-allow-overlap': true },
    });
  }
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

/** Milliseconds of script, style and layout, in the time domain of the session. */
async function workDuration(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const counted = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];
  return metrics.reduce((sum, { name, value }) => sum + (counted.includes(name) ? value * 1000 : 0), 0);
}

/** Megabytes of a page's JavaScript heap that are still reached, with the buffers of its arrays. */
async function heapSize(session: CDPSession): Promise<number> {
  // Twice: what the first leaves to finalizers goes with the second.
  for (let time = 0; time < 2; time++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
  return (usedSize + backingStorageSize) / 1e6;
}

async function scriptDuration(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (metric: string): number => metrics.find(({ name }) => name === metric)?.value ?? Number.NaN;
  return (of('ScriptDuration') + of('V8CompileDuration')) * 1000;
}

function rowOf(what: string, ours = Number.NaN, theirs = Number.NaN, ceiling = 1): BenchRow {
  return atMost(what, ours / theirs, ceiling, `${ours.toFixed(0)} ms to ${theirs.toFixed(0)} ms`);
}
