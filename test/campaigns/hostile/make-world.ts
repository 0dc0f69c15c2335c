import { buildSchema } from 'graphql';
import pLimit from 'p-limit';

import { readPackageFile } from '../../../http/package-file.ts';
import { httpsClient, jsonOf } from '../../clients/https-client.ts';
import { askCommand } from '../../processes/run-command.ts';
import type { ServiceProcess } from '../../processes/waybridge-process.ts';
import { signIn } from './sign-in.ts';
import type { Fields, ContentRoute, World } from './world.ts';

const PASSWORD = 'hostile requests harm nobody 7';
const EMAIL = 'owner@hostile.example';
const REDIRECT_URI = 'https://planner.example/callback';
const ORIGIN = 'https://www.example.com';
const TRIP_ROLES = 'service://<service-trips-map />';
const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;
/** The least that is a PNG: one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Makes what hostile requests ask for, and credentials of every kind, by the command line and the endpoints of a service. */
export async function makeWorld(service: ServiceProcess, ca: string): Promise<World> {
  const issuer = service.url;
  const fetch = httpsClient(ca);
  const oneByOne = pLimit(1);
  const ask = (args: readonly string[], stdin = '') =>
    oneByOne(async () => (await askCommand(args, service.settings, stdin)) as Readonly<Record<string, string>>);
  const post = async (path: string, headers: Record<string, string>, body: unknown) => {
    const type = { 'Content-Type': 'application/json' };
    const answer = await fetch(issuer + path, {
      method: 'POST',
      headers: { ...type, ...headers },
      body: JSON.stringify(body),
    });
    return jsonOf(answer);
  };

  const writers = Promise.all(
    ROLES.map((role) => {
      const email = `${role}@hostile.example`;
      return ask(['content', 'user', 'add', '--username', role, '--email', email, '--role', role]);
    }),
  );
  const {
    key: account_key = '',
    owner_key = '',
    api_key = '',
  } = await ask(['account', 'add', '--nickname', 'Harbour Bakery', '--email', EMAIL, '--password-stdin'], PASSWORD);
  const own = { 'Service-Api-Key': api_key };
  const group = String((await post('/api/v2/groups', own, { name: 'North' })).key);
  const inside = String((await post('/api/v2/groups', own, { name: 'Inside', parent_group_key: group })).key);
  const scopes = [
    'account.read',
    'account_activity.read',
    'vehicles.read',
    'trippoints.read',
    'devices.manage',
    'account.manage',
  ];
  const named = ['app', 'add', '--account', account_key, '--redirect-uri', REDIRECT_URI, '--scope', ...scopes];
  const [app, vehicle, restricted] = await Promise.all([
    ask([...named, '--name', 'Route planner']),
    ask(['vehicle', 'add', '--account', account_key, '--nickname', 'Van 1', '--group', group]),
    ask(
      [
        'user',
        'add',
        '--account',
        account_key,
        '--email',
        'night@hostile.example',
        '--role',
        'administrator',
        '--password-stdin',
        '--group',
        inside,
      ],
      PASSWORD,
    ),
  ]);
  const { client_id = '', client_secret = '' } = app;
  const { key: vehicle_key = '' } = vehicle;
  const token = (user: string) => ask(['oauth-token', 'issue', '--app', client_id, '--user', user]);
  const [access, narrow, device, forwarder] = await Promise.all([
    token(owner_key),
    token(restricted.key ?? ''),
    ask(['device', 'add', '--account', account_key, '--serial', 'WB-1', '--vehicle', vehicle_key, '--group', group]),
    ask(['forwarder-key', 'add', '--account', account_key]),
  ]);
  const { access_token = '' } = access;
  const { key: device_key = '' } = device;
  const deviceKey = secretOf(await ask(['device-key', 'add', '--device', device_key]));
  await post('/api/v2/ingest', bearer(deviceKey), { points: drive() });
  const trip = await post('/api/special-purpose/v1/token', bearer(access_token), {
    client_id,
    client_secret,
    sub: `vehicle:${vehicle_key}`,
    aud: ORIGIN,
    roles: TRIP_ROLES,
    scope: 'loc-past',
  });
  const spare =
    'mutation { registerApp(input: { name: "Spare", redirect_uris: ["https://spare.example/cb"] }) { client_id } }';
  await post('/graphql', own, { query: spare });
  const question = `{ apps { nodes { client_id } } trips(vehicle_key: "${vehicle_key}") { nodes { key } } subscriptions { nodes { key } }
    privacyZones { nodes { key } } }`;
  const zone = 'mutation { createPrivacyZone(input: { lat: 0, lon: 0, radius_meters: 100 }) { key } }';
  await post('/graphql', own, { query: zone });
  const shared = await post('/api/v2/shares', own, {
    ...{ vehicle_key, expires: '2099-12-31T18:00:00Z', embed_origins: [ORIGIN], embeds_live: true },
  });
  const north = await post('/api/v2/groups', own, { name: 'North' });
  const groupShare = { group_key: north.key, expires: '2099-12-31T18:00:00Z' };
  const ofGroup = await post('/api/v2/shares', own, groupShare);
  const links = [shared.url, shared.embed_url, ofGroup.url].map((url) => new URL(String(url)).pathname);
  const [sharePage = '', framed = '', groupPage = ''] = links;
  const found = (await post('/graphql', own, { query: question })).data as Readonly<Record<string, unknown>>;

  const passwords = (await writers).map(secretOf);
  const basics = ROLES.map((role, index) => basic(role, passwords[index] ?? ''));
  const editor = basics[1] ?? '';
  const contentIds = await writeContent(editor, basics[0] ?? '');
  const index = jsonOf(await fetch(`${issuer}/wp-json/`));
  const browser = await signIn(issuer, fetch, { email: EMAIL, password: PASSWORD });
  const tripHeaders: Fields = [
    ['Authorization', `Bearer ${String(trip.token)}`],
    ['Origin', ORIGIN],
  ];

  async function writeContent(asEditor: string, asAdministrator: string): Promise<World['contentIds']> {
    const write = async (kind: string, body: unknown, authorization = asEditor) =>
      Number((await post(`/wp-json/wp/v2/${kind}`, { Authorization: authorization }, body)).id);
    const status = 'publish';
    const posts: number[] = [];
    for (const title of ['First', 'Second', 'Third'])
      posts.push(await write('posts', { title, content: `${title} <b>text`, status }));
    posts.push(await write('posts', { title: 'Locked', content: 'Hidden', password: 'pass', status }));
    posts.push(await write('posts', { title: 'Draft', content: 'Not yet' }));
    const uploaded = await fetch(`${issuer}/wp-json/wp/v2/media`, {
      method: 'POST',
      headers: {
        Authorization: asEditor,
        'Content-Disposition': 'attachment; filename="pixel.png"',
        'Content-Type': 'image/png',
      },
      body: PIXEL,
    });
    return {
      posts,
      pages: [await write('pages', { title: 'About', content: 'Us', status })],
      media: [Number(jsonOf(uploaded).id)],
      categories: [1, await write('categories', { name: 'News' })],
      tags: [await write('tags', { name: 'blue' })],
      comments: [await write('comments', { post: posts[0], content: 'Well said' })],
      users: [
        await write(
          'users',
          { username: 'spare', email: 'spare@hostile.example', password: PASSWORD, roles: ['author'] },
          asAdministrator,
        ),
      ],
    };
  }

  return {
    issuer,
    callers: {
      visitor: [],
      'wrong key': [['Service-Api-Key', `wb_key_${'x'.repeat(43)}`]],
      owner: [['Service-Api-Key', api_key]],
      app: [['Authorization', `Bearer ${access_token}`]],
      'restricted app': [['Authorization', `Bearer ${narrow.access_token ?? ''}`]],
      'trip token': tripHeaders,
      'device key': [['Authorization', `Bearer ${deviceKey}`]],
      'forwarder key': [['Authorization', `Bearer ${secretOf(forwarder)}`]],
      'two credentials': [
        ['Service-Api-Key', api_key],
        ['Authorization', `Bearer ${access_token}`],
      ],
      session: [
        ['Cookie', browser.cookie],
        ['Origin', issuer],
      ],
      'wrong password': [['Authorization', basic('administrator', 'x'.repeat(24))]],
      ...Object.fromEntries(ROLES.map((role, at) => [role, [['Authorization', basics[at] ?? '']] as const])),
    },
    known: {
      vehicle_key: [vehicle_key],
      trip_key: keysIn(found.trips),
      group_key: [group, inside],
      parent_group_key: [group, inside],
      group_keys: [group, inside],
      device_key: [device_key],
      user_key: [owner_key],
      client_id: keysIn(found.apps, 'client_id').filter((id) => id !== client_id),
      serial: ['WB-1'],
      secret: [framed.split('/')[2] ?? ''],
      key: [vehicle_key, group, device_key, ...keysIn(found.trips), ...keysIn(found.subscriptions)],
    },
    app: { client_id, client_secret, redirect_uri: REDIRECT_URI },
    owner: { email: EMAIL, password: PASSWORD },
    browser,
    trip: { vehicle_key, access_token },
    contentIds,
    contentRoutes: routesOf(index),
    pages: [
      '/',
      '/blog/',
      '/category/news/',
      '/tag/blue/',
      '/author/editor/',
      '/feed/',
      '/feed.xml',
      '/wp-sitemap.xml',
      '/about/',
      sharePage,
      framed,
      groupPage,
      `${sharePage}.png`,
      `/oembed?url=${encodeURIComponent(issuer + framed)}`,
    ],
    schema: buildSchema(String(await readPackageFile('schema.graphql'))),
    secrets: [
      api_key,
      access_token,
      narrow.access_token ?? '',
      client_secret,
      deviceKey,
      secretOf(forwarder),
      PASSWORD,
      ...links.map((path) => path.split('/')[2] ?? ''),
    ].concat(
      passwords,
      basics.map((value) => value.slice('Basic '.length)),
      browser.cookie.split('; ').map((cookie) => cookie.slice(cookie.indexOf('=') + 1)),
    ),
  };
}

/** Half an hour of driving in two trips that ended. */
function drive(): unknown[] {
  const start = Date.now() - 86_400_000;
  return Array.from({ length: 300 }, (_, index) => ({
    point: { lat: 53.07 + index / 10_000, lon: 8.8 + Math.sin(index / 9) / 100 },
    timestamp: new Date(start + index * 6000).toISOString(),
    speed: 20 + (index % 30),
    events: index % 150 === 0 ? ['engine_start'] : index % 150 === 149 ? ['engine_stop'] : [],
  }));
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}

/** The secret among the members that a command shows once. */
function secretOf(answer: Readonly<Record<string, string>>): string {
  const secret = Object.entries(answer).find(([name]) => /_secret$|_password$/.test(name));
  if (secret === undefined) throw new Error(`There is no secret among ${Object.keys(answer).join(', ')}`);
  return secret[1];
}

function keysIn(value: unknown, name = 'key'): string[] {
  return [...JSON.stringify(value ?? null).matchAll(/"(\w+)":"([^"]+)"/g)].flatMap(([, found, key = '']) => {
    return found === name ? [key] : [];
  });
}

/** The index lists what each route takes. */
function routesOf(index: Readonly<Record<string, unknown>>): ContentRoute[] {
  interface Endpoint {
    readonly methods: readonly string[];
    readonly args: ContentRoute['args'];
  }
  const routes = index.routes as Readonly<Record<string, { readonly endpoints: readonly Endpoint[] }>>;
  return Object.entries(routes).flatMap(([path, { endpoints }]) =>
    endpoints.flatMap(({ methods, args }) => methods.map((method) => ({ path, method, args }))),
  );
}
