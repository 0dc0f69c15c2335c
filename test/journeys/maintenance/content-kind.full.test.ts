import { readFile } from 'node:fs/promises';

import { expect, test, vi } from 'vitest';

import { httpsClient, jsonOf } from '../../clients/https-client.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { askWaybridge, readyService, spawnWaybridge } from '../../processes/waybridge-process.ts';

import { useTreeCopy } from './tree-copy.ts';

// A tree is compiled and a service started.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const KINDS = 'content/schema/kinds/content-kinds.ts';

const RECORD = `import { contentRecord, integer } from '../content-field.ts';
import { NOT_EMBEDDED } from '../display-context.ts';

import { WRITTEN_ITEM_FIELDS } from './post.ts';

/** A chapter of the manual. */
export const Doc = contentRecord({ name: 'Doc', title: 'doc' }, 'A chapter of the manual.', {
  ...WRITTEN_ITEM_FIELDS,
  menu_order: integer(NOT_EMBEDDED, 'Place of the chapter in the manual.'),
});
`;

const ROW = `  },
  doc: {
    type: 'doc',
    one: 'doc',
    many: 'docs',
    record: Doc,
    list: PAGE_LIST,
    read: ITEM_READ,
    write: PAGE_WRITE,
    noun: 'pages',
    address: 'nested',
    isUploaded: false,
    needsText: false,
    isDiscussed: false,
    canBeSticky: false,
    defaultFormat: '',
    terms: [],
    words: ['Doc', 'Docs'],
    supports: 'title,editor,revisions',`;

const tree = useTreeCopy();

test('a kind of content is one row and its record', async () => {
  await tree.add('content/schema/records/doc.ts', RECORD);
  await tree.insert(KINDS, "from '../records/content-item.ts';", "import { Doc } from '../records/doc.ts';");
  await tree.insert(KINDS, "supports: 'title,author,comments',", ROW);
  expect(await tree.run('biome', 'ci', 'content/schema')).toMatchObject({ code: 0 });
  expect(await tree.run('vite', 'build', '--config', 'server/vite.config.ts')).toMatchObject({ code: 0 });

  const DATA_DIR = await temporaryFolder();
  const settings = { DATA_DIR, LOG_LEVEL: 'error' };
  const added = ['content', 'user', 'add', '--username', 'mara', '--email', 'mara@example.com', '--role', 'editor'];
  const { application_password } = await askWaybridge(added, settings);
  const program = tree.path('build/bundle/waybridge.js');
  const served = spawnWaybridge(['serve', '--no-demo'], { ...settings, PORT: '0' }, program);
  const { url, end } = await readyService(served, settings);
  try {
    const ask = httpsClient(await readFile(`${DATA_DIR}/tls/ca.pem`, 'utf8'));
    const authorization = `Basic ${Buffer.from(`mara:${application_password}`).toString('base64')}`;
    const call = async (method: string, path: string, body?: object) =>
      jsonOf(
        await ask(`${url}/wp-json${path}`, {
          method,
          headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        }),
      );
    const docs = `${url}/wp-json/wp/v2/docs`;

    const text = { title: 'Wiring', content: 'Red is plus.', menu_order: 3 };
    const created = await call('POST', '/wp/v2/docs', { ...text, status: 'publish' });
    const { id } = created;
    const path = `/wp/v2/docs/${id}`;
    expect(created).toMatchObject({ type: 'doc', slug: 'wiring', link: `${url}/wiring/`, menu_order: 3 });
    expect(created._links).toMatchObject({
      self: [{ href: `${docs}/${id}` }],
      collection: [{ href: docs }],
      about: [{ href: `${url}/wp-json/wp/v2/types/doc` }],
      'version-history': [{ href: `${docs}/${id}/revisions` }],
      'wp:action-publish': [{ href: `${docs}/${id}` }],
    });
    expect(created).not.toHaveProperty('categories');

    expect(await call('GET', '/wp/v2/docs')).toMatchObject([{ id, title: { rendered: 'Wiring' } }]);
    expect(await call('GET', '/wp/v2/pages')).toEqual([]);
    expect(await call('PATCH', path, { title: 'Wiring the box' })).toMatchObject({ title: { raw: 'Wiring the box' } });
    expect(await call('GET', `${path}/revisions`)).toMatchObject([
      { parent: id, title: { rendered: 'Wiring the box' } },
      { parent: id, title: { rendered: 'Wiring' } },
    ]);
    expect((await ask(`${url}/wiring/`)).text).toContain('Red is plus.');

    const described = await call('OPTIONS', '/wp/v2/docs');
    expect(described).toMatchObject({ methods: ['GET', 'POST'], schema: { title: 'doc' } });
    expect(described).toHaveProperty('schema.properties.menu_order.description', 'Place of the chapter in the manual.');
    expect(await call('GET', '/')).toHaveProperty(['routes', '/wp/v2/docs/(?P<id>[\\d]+)']);
    expect(await call('GET', '/wp/v2/types/doc')).toMatchObject({
      name: 'Docs',
      rest_base: 'docs',
      hierarchical: true,
    });
    expect(Object.keys(await call('GET', '/wp/v2/types'))).toEqual(['post', 'page', 'attachment', 'doc']);

    expect(await call('DELETE', path)).toMatchObject({ id, status: 'trash' });
    expect(await call('GET', '/wp/v2/docs')).toEqual([]);
    expect(await call('DELETE', `${path}?force=true`)).toMatchObject({ deleted: true, previous: { id } });
    expect((await ask(`${docs}/${id}`)).status).toBe(404);
  } finally {
    await end();
  }
});
