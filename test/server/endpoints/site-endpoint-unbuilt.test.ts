import { expect, test, vi } from 'vitest';

import { siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { componentFiles } from '../../../pages/component/component-file.ts';
import { COMPONENT_NAMES, versionedPath } from '../../../pages/site/component-names.ts';
import { testHost } from '../../hosts/test-host.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

vi.mock(import('../../../http/package-file.ts'), async (original) => {
  const { readPackageFile, ...rest } = await original();
  const read: typeof readPackageFile = async (path) =>
    path === `dist/${COMPONENT_NAMES.mapbox}`
      ? Promise.reject(Object.assign(new Error('missing'), { code: 'ENOENT' }))
      : readPackageFile(path);
  return { ...rest, readPackageFile: read };
});

test('a component that has not been built is 503 with what to do, while the site is served', async () => {
  const config = readConfig({});
  const components = await componentFiles(config);
  const { app, lines } = await testHost([await siteEndpoint(testService, config, components, async () => null)]);
  const answer = await app.inject(`/${COMPONENT_NAMES.mapbox}`);
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({ errors: expect.stringContaining('npm run build:element') });
  expect(lines.join()).toContain('npm run build:element');
  expect((await app.inject({ url: '/', headers: { host: 'localhost:8443' } })).statusCode).toBe(200);
});

test('an address with the hash of the component is kept for a year, and an earlier one leads to the present file', async () => {
  const config = readConfig({});
  const components = await componentFiles(config);
  const { app } = await testHost([await siteEndpoint(testService, config, components, async () => null)]);
  const path = versionedPath(COMPONENT_NAMES.maplibre, components);
  const answer = await app.inject(`/${path}`);
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(answer.body).toBe((await app.inject(`/${COMPONENT_NAMES.maplibre}`)).body);
  const earlier = await app.inject(`/${path.replace(/\/[\w-]{22}\//, '/earlier/')}`);
  expect([earlier.statusCode, earlier.headers.location, earlier.headers['cache-control']]).toEqual([
    ...[302, `/${COMPONENT_NAMES.maplibre}`, 'no-store'],
  ]);
  expect((await app.inject('/component/earlier/other.js')).statusCode).toBe(404);
});
