import { expect, test } from 'vitest';

import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';
import { useTreeCopy } from './tree-copy.ts';

const tree = useTreeCopy();

/** Test of the copy: the new path answers, is described, and is the only one that was added. */
function probe(described: readonly string[], routed: readonly string[]): string {
  return `import { expect, test } from 'vitest';

import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { account } from '../services/account-fixture.ts';
import { testService, useDatabase } from '../services/database.ts';
import { openHost } from '../hosts/open-host.ts';

useDatabase();

test('the path answers, and is the only new one', async () => {
  const app = await openHost([await accountEndpoint(testService, new URL('https://localhost/api/v2'), new URL('https://localhost'))]);
  const { apiKeyKey: key, headers } = await account();
  const get = (path: string) => app.inject({ url: '/api/v2' + path, headers: { host: 'localhost', ...headers } });
  const found = await get('/credential/' + key);
  expect([found.statusCode, found.json().key]).toEqual([200, key]);
  expect((await get('/credential/none')).statusCode).toBe(404);
  const { paths } = (await get('/openapi.json')).json();
  expect(Object.keys(paths).sort()).toEqual(${JSON.stringify([...described, '/credential/{key}'].sort())});
  expect(Object.keys(paths['/credential/{key}'])).toEqual(['get']);
  const routed = [...app.printRoutes({ commonPrefix: false }).matchAll(/\\S+(?= \\()/g)].map(([path]) => path);
  expect(routed.sort()).toEqual(${JSON.stringify([...routed, '/api/v2/credential/:key'].sort())});
  await app.close();
});
`;
}

test('a resolver method gets a path by one row, and no other method does', async () => {
  const url = new URL('https://localhost/api/v2');
  const app = await openHost([await accountEndpoint(testService, url, new URL('https://localhost'))]);
  const { paths } = (await app.inject({ url: '/api/v2/openapi.json', headers: { host: 'localhost' } })).json();
  const routed = [...app.printRoutes({ commonPrefix: false }).matchAll(/\S+(?= \()/g)].map(([path]) => path);
  await app.close();
  expect(routed).toContain('/api/v2/device/:key');

  const row = "  'GET /credential/{key}': { query: 'apiKey' },";
  await tree.insert('rest-bridge/account-routes.ts', "'GET /group/{group_key}'", row);
  expect(await tree.run('biome', 'check', 'rest-bridge')).toMatchObject({ code: 0 });
  expect(await tree.run('vite', 'build', '--config', 'server/vite.config.ts')).toMatchObject({ code: 0 });
  await tree.add('test/rest-bridge/new-path.test.ts', probe(Object.keys(paths), routed));
  const files = ['test/rest-bridge/new-path.test.ts', 'test/rest-bridge/open-api.test.ts'];
  expect(await tree.run('vitest', 'run', ...files)).toMatchObject({ code: 0 });
});
