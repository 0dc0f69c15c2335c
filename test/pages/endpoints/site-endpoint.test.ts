import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';

import { type ReadDemo, type SiteConfig, siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { componentFiles } from '../../../pages/component/component-file.ts';
import { COMPONENT_NAMES } from '../../../pages/site/component-names.ts';
import { testHost } from '../../hosts/test-host.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

const CONFIG: SiteConfig = {
  baseUrl: 'https://localhost:8443/api/v2',
  authUrl: 'https://localhost:8443',
  siteUrl: 'https://localhost:8443',
  graphqlUrl: 'https://localhost:8443/graphql',
  dataDir: './data',
  tlsCert: null,
  lan: null,
  mapboxAccessToken: null,
};
const DEMO = {
  complete: true,
  account_key: 'account',
  client_id: 'client',
  grant_hash: 'grant',
  vehicles: [{ key: 'van-1', nickname: 'Van <1>' }],
};
const HOST = { host: 'localhost:8443' };
const PUBLIC_PEER = '203.0.113.7';

async function site(config: Partial<SiteConfig> = {}, readDemo: ReadDemo = async () => DEMO): Promise<FastifyInstance> {
  const settings = { ...CONFIG, ...config };
  const components = await componentFiles(settings);
  const { app } = await testHost([await siteEndpoint(testService, settings, components, readDemo)]);
  return app;
}

describe('the front page', () => {
  test('lets scripts run by the nonce of this answer only, and every script carries it', async () => {
    const app = await site();
    const answers = [await app.inject({ url: '/', headers: HOST }), await app.inject({ url: '/', headers: HOST })];
    const nonces = answers.map(({ headers, body }) => {
      const nonce = /script-src 'nonce-([\w-]+)'(?:;|$)/.exec(String(headers['content-security-policy']))?.[1];
      const scripts = body.match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(1);
      expect(scripts.every((script) => script.includes(` nonce="${nonce}"`))).toBe(true);
      expect(body).not.toMatch(/\son\w+=|\sstyle=/);
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
    expect(answers[0]?.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test('says where the interfaces are, as configured', async () => {
    const app = await site({ baseUrl: 'https://api.example.com/v2', graphqlUrl: 'https://api.example.com/graphql' });
    const { body } = await app.inject({ url: '/', remoteAddress: PUBLIC_PEER });
    for (const address of [
      'https://api.example.com/v2',
      'https://api.example.com/graphql',
      'https://localhost:8443/wp-json',
    ]) {
      expect(body).toContain(`<code>${address}</code>`);
    }
  });

  test('escapes the names of vehicles', async () => {
    const { body } = await (await site()).inject({ url: '/', headers: HOST });
    expect(body).toContain('Van &lt;1&gt;');
  });

  test.each([
    ['a program on this machine', { headers: HOST }, 'live'],
    ['the same by IPv6', { headers: HOST, remoteAddress: '::1' }, 'live'],
    ['this machine at another address of it', { headers: { host: '127.0.0.1:8443' } }, 'elsewhere'],
    ['another machine', { headers: HOST, remoteAddress: PUBLIC_PEER }, 'hidden'],
    ['a proxy on this machine', { headers: { ...HOST, 'x-forwarded-for': PUBLIC_PEER } }, 'hidden'],
    ['a proxy that says so by standard', { headers: { ...HOST, forwarded: `for=${PUBLIC_PEER}` } }, 'hidden'],
  ])('shows to %s the live map: %o, %s', async (_, request, kind) => {
    const { body } = await (await site()).inject({ url: '/', ...request });
    expect({
      live: body.includes('data-graphql-url'),
      elsewhere: body.includes('The live map is at'),
      hidden: !body.includes('id="live"'),
    }).toEqual({ live: kind === 'live', elsewhere: kind === 'elsewhere', hidden: kind === 'hidden' });
    expect(body.includes('van-1')).toBe(kind === 'live');
    expect(body.includes('./data/tls/ca.pem')).toBe(kind !== 'hidden');
  });

  test.each([
    ['there is no demonstration', async () => null],
    ['it is not complete', async () => ({ ...DEMO, complete: false })],
  ])('says how to get the map where %s', async (_, readDemo) => {
    const { body } = await (await site({}, readDemo)).inject({ url: '/', headers: HOST });
    expect(body).toContain('has no demonstration');
    expect(body).not.toContain('van-1');
  });

  test('opens itself to Mapbox only where its token is set, and says which map it draws on', async () => {
    const local = await (await site()).inject({ url: '/', headers: HOST });
    expect(local.headers['content-security-policy']).not.toContain('mapbox');
    expect(local.body).toContain('Drawn with MapLibre GL');
    const mapbox = await (await site({ mapboxAccessToken: 'pk.test' })).inject({ url: '/', headers: HOST });
    expect(mapbox.headers['content-security-policy']).toContain('https://api.mapbox.com');
    expect(mapbox.body).toContain('data-mapbox-token="pk.test"');
    expect(mapbox.body).toContain('Drawn on Mapbox');
  });

  test('stands below the path of the site, with its files', async () => {
    const app = await site({ siteUrl: 'https://localhost:8443/dev' });
    const { body } = await app.inject({ url: '/dev/', headers: HOST });
    const files = [...body.matchAll(/(?:src|href)="(\/dev\/(?:site|favicon|service)[^"]*)"/g)].map(([, path]) => path);
    expect(files.length).toBeGreaterThan(6);
    for (const path of files) {
      expect(await app.inject(String(path)), String(path)).toMatchObject({ statusCode: 200 });
    }
    expect((await app.inject('/')).statusCode).toBe(404);
  });

  test('does not answer under the host name of sign-in', async () => {
    const app = await site({ authUrl: 'https://login.example.com', siteUrl: 'https://www.example.com' });
    const statusAt = async (host: string) => (await app.inject({ url: '/', headers: { host } })).statusCode;
    expect(await statusAt('www.example.com')).toBe(200);
    expect(await statusAt('login.example.com')).toBe(404);
    expect(await statusAt('LOGIN.example.com:443')).toBe(404);
  });
});

describe('files', () => {
  test.each(Object.values(COMPONENT_NAMES))(
    '%s knows its addresses, and pages of every origin may load it',
    async (name) => {
      const app = await site({ graphqlUrl: 'https://api.example.com/graphql' });
      const answer = await app.inject(`/${name}`);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=300',
      });
      expect(answer.body).toContain('https://api.example.com/graphql');
      expect(answer.body).not.toMatch(/__WAYBRIDGE_\w+__/);
    },
  );

  test('is compressed as the client likes it, with a separate ETag', async () => {
    const app = await site();
    const url = '/site/styles/base.css';
    const plain = await app.inject({ url });
    const tags = [plain.headers.etag];
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const encoding of ['br', 'gzip']) {
      const answer = await app.inject({ url, headers: { 'accept-encoding': encoding } });
      expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
      tags.push(answer.headers.etag);
    }
    expect(new Set(tags).size).toBe(3);
    expect(String(tags[0])).toMatch(/^"[\w-]+"$/);
  });

  test('is not sent again to who has it', async () => {
    const app = await site();
    const url = '/site/browser/live.js';
    const { headers } = await app.inject({ url });
    const again = (tag: string) => app.inject({ url, headers: { 'if-none-match': tag } });
    expect(await again(`"other", W/${headers.etag}`)).toMatchObject({ statusCode: 304, body: '' });
    expect(await again('"other"')).toMatchObject({ statusCode: 200 });
  });

  test.each(['/site/relief.svg', '/favicon.svg', '/favicon.ico', '/site/styles/base.css', '/site/browser/live.js'])(
    '%s is served, and checked for changes at each visit',
    async (url) => {
      const { statusCode, headers } = await (await site()).inject(url);
      expect(statusCode).toBe(200);
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    },
  );

  test.each(['/site/browser/../html.ts', '/site/styles/', '/site/html.ts', '/package.json'])(
    '%s is not there',
    async (url) => {
      expect((await (await site()).inject(url)).statusCode).toBe(404);
    },
  );
});

describe('POST /demo/token', () => {
  const ORIGIN = 'https://localhost:8443';
  const GOOD = { ...HOST, origin: ORIGIN, 'sec-fetch-site': 'same-origin' };

  test.each([
    ['another machine', { headers: GOOD, remoteAddress: PUBLIC_PEER }, 404],
    ['a proxy on this machine', { headers: { ...GOOD, 'x-forwarded-for': PUBLIC_PEER } }, 404],
    ['no page', { headers: HOST }, 403],
    ['another origin', { headers: { ...GOOD, origin: 'https://example.com' } }, 403],
    ['another port of this machine', { headers: { ...GOOD, origin: 'https://localhost:8444' } }, 403],
    ['an opaque origin', { headers: { ...GOOD, origin: 'null' } }, 403],
    ['a page that the browser calls of another site', { headers: { ...GOOD, 'sec-fetch-site': 'cross-site' } }, 403],
    ['a page of this machine, for another vehicle', { headers: GOOD, payload: { vehicle_key: 'van-2' } }, 404],
    ['a page of this machine, for no vehicle', { headers: GOOD, payload: {} }, 404],
    ['a page of this machine, for a list', { headers: GOOD, payload: { vehicle_key: ['van-1'] } }, 404],
    [
      'a page of this machine, by null',
      { headers: { ...GOOD, 'content-type': 'application/json' }, payload: 'null' },
      404,
    ],
    [
      'a form',
      { headers: { ...GOOD, 'content-type': 'application/x-www-form-urlencoded' }, payload: 'vehicle_key=van-1' },
      400,
    ],
  ])('refuses %s: %o with %i', async (_, request, status) => {
    const app = await site();
    const answer = await app.inject({
      method: 'POST',
      url: '/demo/token',
      payload: { vehicle_key: 'van-1' },
      ...request,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.body).not.toContain('token');
  });

  test('has none where there is no demonstration', async () => {
    const app = await site({}, async () => null);
    const answer = await app.inject({
      method: 'POST',
      url: '/demo/token',
      headers: GOOD,
      payload: { vehicle_key: 'van-1' },
    });
    expect(answer.statusCode).toBe(404);
  });
});
