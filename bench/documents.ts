import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { openBrowser, useTrustedKey } from '../test/browser/browser.ts';
import { testCertificate } from '../test/hosts/test-host.ts';
import { atMost, type BenchRow } from './bench-row.ts';
import { benchService } from './bench-service.ts';
import { median } from './times.ts';

const PATHS = ['/docs', '/docs/trip-map', '/docs/account-api', '/docs/api'];
/** A slow mobile connection, and a processor with a quarter of the speed of this one. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const SLOWDOWN = 4;
const CEILING_MS = 1000;

/** Measures how soon the largest part of a document is on a screen of 412 pixels, in an empty cache. */
export async function run(rounds = 5): Promise<BenchRow[]> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  await useTrustedKey(DATA_DIR);
  const service = await benchService({ DATA_DIR });
  const browser = await openBrowser({ trust: [(await testCertificate()).cert] });
  try {
    const rows: BenchRow[] = [];
    for (const path of PATHS) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await paintOf(browser, service.url + path));
      const time = median(times);
      const what = `largest contentful paint of ${path} at 1.6 Mbit/s, 150 ms and a quarter of the CPU, to a second`;
      rows.push(atMost(what, time / CEILING_MS, 1, `${time.toFixed(0)} ms`));
    }
    return rows;
  } finally {
    await browser.close();
    await service.end();
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
}

async function paintOf(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(url);
  const time = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Infinity));
        observer.observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
  await context.close();
  return time;
}
