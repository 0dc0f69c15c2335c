import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import type { FastifyInstance } from 'fastify';

import { readConfig } from '../../server/configuration/config.ts';
import { openDatabase } from '../../server/database/database.ts';
import { contentEndpoint } from '../../content/rest/content-endpoint.ts';
import { createHost } from '../../http/host.ts';
import { createLog } from '../../http/observing/logs.ts';
import { tlsCertificate } from '../../server/start/tls-certificate.ts';
import { AddressRanges } from '../../http/requests/address-ranges.ts';
import { atMost, type BenchRow } from '../bench-row.ts';
import { addPosts } from './content-records.ts';
import { byTurns, median } from '../times.ts';

const FEW = 100;
const WARM_UP = 100;
const REQUESTS = 400;

/** The compared lists: the default list, and lists that each filter makes shorter. */
const LISTS = ['/wp-json/wp/v2/posts', '/wp-json/wp/v2/posts?categories=3', '/wp-json/wp/v2/posts?author=2'];

/** Measures lists of posts among many against the same among a hundred. */
export async function measureLists(many: number): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const config = readConfig({ DATA_DIR: folder });
  const database = await openDatabase(config, true);
  const app = createHost({
    certificate: await tlsCertificate(config),
    trustedProxies: AddressRanges.NONE,
    log: createLog('silent'),
    endpoints: [await contentEndpoint(database.service, new URL(config.siteUrl))],
    ping: database.ping,
    version: 'bench',
    metricsToken: null,
  });
  try {
    await addPosts(database.service, 0, FEW);
    const few = await medians(app);
    await addPosts(database.service, FEW, many);
    const large = await medians(app);
    return LISTS.map((list, at) => {
      const [small = Number.NaN, big = Number.NaN] = [few[at], large[at]];
      const detail = `${big.toFixed(2)} ms to ${small.toFixed(2)} ms`;
      return atMost(`${list}: p50 at ${many} posts to that at ${FEW}`, big / small, 1.3, detail);
    });
  } finally {
    await app.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The median time of each list, in milliseconds. */
async function medians(app: FastifyInstance): Promise<number[]> {
  const timeOf = (url: string) => async () => {
    const start = performance.now();
    const { statusCode } = await app.inject({ url });
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
    return performance.now() - start;
  };
  return (await byTurns(REQUESTS, WARM_UP, LISTS.map(timeOf))).map(median);
}
