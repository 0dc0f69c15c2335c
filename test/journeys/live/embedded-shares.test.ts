import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { gatewayEndpoint } from '../../../graphql/endpoint/gateway-endpoint.ts';
import { componentFiles } from '../../../pages/component/component-file.ts';
import { shareEndpoint } from '../../../pages/endpoints/share-endpoint.ts';
import { type SiteConfig, siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { updateVehicle } from '../../../resolvers/vehicles/write-vehicle.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { recordingDevice, type SentPoint } from '../../hosts/ingest-host.ts';
import { type OauthHost, oauthHost } from '../../hosts/oauth-host.ts';
import { testHost } from '../../hosts/test-host.ts';
import { group } from '../../services/account-fixture.ts';
import { changeSettings, testService, useDatabase } from '../../services/database.ts';

useDatabase();

type Headers = Readonly<Record<string, string>>;
interface Issued {
  readonly key: string;
  readonly url: string;
  readonly embed_url: string;
}

let host: OauthHost;
let browser: Browser;
let config: SiteConfig;
beforeAll(async () => {
  host = await oauthHost(async (url) => {
    changeSettings({ siteUrl: url });
    const graphqlUrl = `${url}/graphql`;
    const addresses = { siteUrl: url, authUrl: url, baseUrl: `${url}/api/v2`, graphqlUrl };
    config = { ...addresses, mapboxAccessToken: null, dataDir: '', tlsCert: null, lan: null };
    return [
      await accountEndpoint(testService, new URL(addresses.baseUrl), new URL(url)),
      await gatewayEndpoint(testService, new URL(graphqlUrl), url, {}),
      await siteEndpoint(testService, config, await componentFiles(config), async () => null),
      shareEndpoint(testService, config),
    ];
  });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await host.app.close();
});

let device: Awaited<ReturnType<typeof recordingDevice>>;
beforeEach(async () => {
  device = await recordingDevice();
});

const SHOP = 'https://shop.example';
const HOUR_MS = 3_600_000;
const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();

async function request(method: 'GET' | 'POST' | 'DELETE', path: string, headers: Headers, body?: object) {
  const answer = await host.fetch(`${host.issuer}/api/v2${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

async function share(what: object): Promise<Issued> {
  const whole = { vehicle_key: device.vehicle_key, expires: inAnHour(), embed_origins: [SHOP], ...what };
  const { status, body } = await request('POST', '/shares', device.owner.headers, whole);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** A position some seconds from now, on a road that leads east. */
function at(seconds: number, ...events: string[]): SentPoint {
  const timestamp = new Date(Date.now() + seconds * 1000).toISOString();
  return { point: { lat: 53.0758, lon: 8.8 + seconds * 0.0001 }, timestamp, speed: 30, events };
}

async function record(...points: SentPoint[]): Promise<void> {
  const { status } = await request('POST', '/ingest', { authorization: `Bearer ${device.secret}` }, { points });
  expect(status).toBe(200);
  await leasedWorkEnded(testService);
}

async function graphql(query: string, headers: Headers) {
  const answer = await host.fetch(`${host.issuer}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return JSON.parse(await answer.text());
}

const secretOf = ({ embed_url }: Issued) => /\/s\/([\w-]+)\/embed$/.exec(embed_url)?.[1] ?? '';

/** Asks for a token as a page of an origin; the code of the error if it is refused. */
async function redeem(secret: string, origin?: string) {
  const query = `mutation { redeemShare(secret: "${secret}") { token vehicle_key trip_key } }`;
  const { data, errors } = await graphql(query, origin === undefined ? {} : { origin });
  return { shared: data?.redeemShare, code: errors?.[0].extensions.code };
}

/** The starts of trips that a page of the origin sees. */
async function tripsOf(issued: Issued) {
  const { shared } = await redeem(secretOf(issued), SHOP);
  const headers = { origin: SHOP, authorization: `Bearer ${shared.token}` };
  const { data } = await graphql('{ trips { nodes { key } } }', headers);
  return data.trips.nodes.length;
}

describe('a share for pages of others', () => {
  test('has a second link with a secret of its own, unless no origin is named', async () => {
    const { url, embed_url } = await share({});
    expect(embed_url).toMatch(new RegExp(`^${host.issuer}/s/wb_embed_[\\w-]{43}/embed$`));
    expect(embed_url).not.toContain(url);
    expect(await share({ embed_origins: [] })).toMatchObject({ embed_url: null, embeddings: [] });
  });

  test.each([
    [{ embed_origins: ['http://shop.example'] }, 'embed_origins'],
    [{ embed_origins: ['https://*.shop.example'] }, 'embed_origins'],
    [{ embed_origins: Array.from({ length: 21 }, (_, at) => `https://shop${at}.example`) }, 'at most 20'],
    [{ embeds_live: true, embed_origins: [] }, 'embeds_live requires embed_origins'],
  ])('of %j is rejected', async (what, message) => {
    const whole = { vehicle_key: device.vehicle_key, expires: inAnHour(), ...what };
    const answer = await request('POST', '/shares', device.owner.headers, whole);
    expect(answer).toMatchObject({ status: 400, body: { errors: expect.stringContaining(message) } });
  });

  test('shows trips that have ended, and what is under way only if it says so', async () => {
    const [ended, live] = [await share({}), await share({ embeds_live: true })];
    await record(at(0, 'engine_start'), at(1), at(2, 'engine_stop'));
    expect([await tripsOf(ended), await tripsOf(live)]).toEqual([1, 1]);
    await record(at(3, 'engine_start'), at(4));
    expect([await tripsOf(ended), await tripsOf(live)]).toEqual([1, 2]);
    await record(at(5, 'engine_stop'));
    expect(await tripsOf(ended)).toBe(2);
  });
});

describe('a share of a group for pages of others', () => {
  test('is live alone, and gives a page one token for all of its vehicles', async () => {
    const north = await group(device.owner.key, 'North');
    const accessScope = accountAccessScope(testService, device.owner.key);
    await updateVehicle(accessScope, device.vehicle_key, { group_keys: [north.key] });
    const what = { vehicle_key: undefined, group_key: north.key };
    const whole = { ...what, expires: inAnHour(), embed_origins: [SHOP] };
    expect(await request('POST', '/shares', device.owner.headers, whole)).toMatchObject({
      status: 400,
      body: { errors: 'embed_origins with group_key requires embeds_live' },
    });
    const issued = await share({ ...what, embeds_live: true });
    await record(at(0, 'engine_start'), at(1));
    expect(await tripsOf(issued)).toBe(1);
    const { shared } = await redeem(secretOf(issued), SHOP);
    expect(shared).toMatchObject({ vehicle_key: null, trip_key: null });
    const headers = { origin: SHOP, authorization: `Bearer ${shared.token}` };
    await updateVehicle(accessScope, device.vehicle_key, { group_keys: [] });
    expect((await graphql('{ trips { nodes { key } } }', headers)).data.trips.nodes).toEqual([]);
    await request('DELETE', `/share/${issued.key}`, device.owner.headers);
    const { errors } = await graphql('{ trips { nodes { key } } }', headers);
    expect(errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});

describe('the page in a frame', () => {
  test('may be framed by the named origins alone, and has neither cookies nor forms nor referrer', async () => {
    const { embed_url } = await share({ embed_origins: [SHOP, 'https://blog.example'] });
    const page = await host.fetch(embed_url);
    const { headers } = page;
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`frame-ancestors ${SHOP} https://blog.example;`);
    expect(headers.get('x-frame-options')).toBe(null);
    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(await page.text()).not.toContain('<form');
  });

  test('does not exist at the secret of the link, nor the link at its secret', async () => {
    const { url, embed_url } = await share({});
    expect((await host.fetch(`${url}/embed`)).status).toBe(404);
    expect((await host.fetch(embed_url.replace(/\/embed$/, ''))).status).toBe(404);
  });

  test('is gone with the share, as are its tokens', async () => {
    const issued = await share({});
    const { shared } = await redeem(secretOf(issued), SHOP);
    await request('DELETE', `/share/${issued.key}`, device.owner.headers);
    expect((await host.fetch(issued.embed_url)).status).toBe(404);
    const { errors } = await graphql('{ trips { nodes { key } } }', {
      origin: SHOP,
      authorization: `Bearer ${shared.token}`,
    });
    expect(errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  test('is counted by the origin of the page around it', async () => {
    const { key, embed_url } = await share({});
    for (const referer of [`${SHOP}/offers`, `${SHOP}/`, 'https://other.example/']) {
      await host.fetch(embed_url, { method: 'GET', headers: { referer } });
    }
    const { body } = await request('GET', `/share/${key}`, device.owner.headers);
    expect(body).toMatchObject({ opened_count: 3, embeddings: [{ origin: SHOP, opened_count: 2 }] });
  });

  test('is logged without its secret, as is the request for its description', async () => {
    const issued = await share({});
    const { app, lines } = await testHost([shareEndpoint(testService, config)]);
    const description = `/oembed?url=${encodeURIComponent(issued.embed_url)}`;
    for (const url of [new URL(issued.embed_url).pathname, description]) {
      const { statusCode } = await app.inject({ url, headers: { host: 'localhost' } });
      expect(statusCode).toBe(200);
    }
    expect(lines.join('\n')).toContain('/oembed');
    expect(lines.join('\n')).not.toContain(secretOf(issued));
  });
});

describe('a token for a page', () => {
  test('is given to pages of the named origins alone', async () => {
    const issued = await share({});
    const secret = secretOf(issued);
    const { shared } = await redeem(secret, SHOP);
    expect(shared).toMatchObject({ vehicle_key: device.vehicle_key, trip_key: null });
    expect((await redeem(secret, 'https://other.example')).code).toBe('FORBIDDEN');
    expect((await redeem(secret)).code).toBe('FORBIDDEN');
    expect((await redeem('wb_embed_unknown', SHOP)).code).toBe('NOT_FOUND');
    const viewing = issued.url.split('/').at(-1) ?? '';
    expect((await redeem(viewing, SHOP)).code).toBe('NOT_FOUND');
  });

  test('is good for pages of that origin alone', async () => {
    const { shared } = await redeem(secretOf(await share({})), SHOP);
    const trips = (origin: string) =>
      graphql('{ trips { nodes { key } } }', { origin, authorization: `Bearer ${shared.token}` });
    expect((await trips(SHOP)).data.trips.nodes).toEqual([]);
    expect((await trips('https://other.example')).errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});

describe('the description by oEmbed', () => {
  const describeUrl = async (url: string, more = '') => {
    const answer = await host.fetch(`${host.issuer}/oembed?url=${encodeURIComponent(url)}${more}`);
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };

  test('is a frame of at most the size that is asked for, which the page names', async () => {
    const { embed_url } = await share({});
    const { body } = await describeUrl(embed_url, '&maxwidth=400');
    expect(body).toMatchObject({ version: '1.0', type: 'rich', width: 400, height: 250 });
    expect(body.html).toContain(`<iframe src="${embed_url}"`);
    expect(body.cache_age).toBeLessThanOrEqual(3600);
    expect(body).not.toHaveProperty('thumbnail_url');
    const page = await (await host.fetch(embed_url)).text();
    const [, href = ''] = /application\/json\+oembed" href="([^"]+)"/.exec(page) ?? [];
    expect(JSON.parse(await (await host.fetch(href)).text()).html).toContain(embed_url);
  });

  test('has a picture of a trip that has ended', async () => {
    await record(at(-60, 'engine_start'), at(-50), at(-40, 'engine_stop'));
    const { body } = await request('GET', `/trips?vehicle_key=${device.vehicle_key}`, device.owner.headers);
    const { embed_url } = await share({ vehicle_key: undefined, trip_key: body.trips[0].key });
    const { body: described } = await describeUrl(embed_url);
    expect(described.thumbnail_url).toBe(`${embed_url}.png`);
    const picture = await host.fetch(described.thumbnail_url);
    expect(picture.headers.get('content-type')).toBe('image/png');
  });

  test('is of embedded shares alone, as JSON', async () => {
    const { url, embed_url } = await share({});
    expect((await describeUrl(url)).status).toBe(404);
    expect((await describeUrl(`https://other.example${new URL(embed_url).pathname}`)).status).toBe(404);
    expect((await describeUrl(embed_url, '&format=xml')).status).toBe(501);
  });
});

describe('in a browser', () => {
  /** Opens a page of an origin with a body. */
  async function pageOf(origin: string, body: string) {
    // Browsers ask before a page of another address space reaches this machine.
    const permissions = ['local-network-access'];
    const page = await browser.newPage({ viewport: { width: 900, height: 700 }, permissions });
    const requests: string[] = [];
    page.on('request', (sent) => requests.push(sent.url()));
    await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${origin}/`);
    return { page, requests };
  }

  const drawn = () => record(at(0, 'engine_start'), at(20), at(40), at(60, 'engine_stop'));

  test('a page of a named origin shows the map, which is gone when the share is revoked', async () => {
    const { key, embed_url } = await share({});
    await drawn();
    const sandbox = 'allow-scripts allow-same-origin';
    const { page } = await pageOf(SHOP, `<iframe src="${embed_url}" sandbox="${sandbox}" width="800" height="500">`);
    const map = page.frameLocator('iframe').locator('service-trips-map');
    await expect.poll(() => map.evaluate((element) => Object(element).trips.length)).toBe(1);
    await request('DELETE', `/share/${key}`, device.owner.headers);
    await expect.poll(() => map.count()).toBe(0);
    await page.close();
  });

  test('a page of another origin shows nothing', async () => {
    const { embed_url } = await share({});
    await drawn();
    const { page } = await pageOf('https://other.example', `<iframe src="${embed_url}"></iframe>`);
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    await page.close();
  });

  test('a frame without an origin of its own shows what the page carries, and requests nothing', async () => {
    const { embed_url } = await share({});
    await drawn();
    // As WordPress writes it for a provider that it does not know.
    const frame = `<iframe sandbox="allow-scripts" security="restricted" src="${embed_url}#?secret=ykfJ5BidWZ"></iframe>`;
    const { page, requests } = await pageOf(SHOP, frame);
    const drawing = page.frameLocator('iframe').locator('img.drawing');
    await expect.poll(() => drawing.evaluate((image) => Object(image).naturalWidth)).toBeGreaterThan(0);
    const asked = requests.filter((url) => url.startsWith(host.issuer)).map((url) => url.split('#')[0]);
    expect(asked).toEqual([embed_url]);
    await page.close();
  });

  test('the component shows the vehicles of a group, those that move and those that join it, until it is revoked', async () => {
    const north = await group(device.owner.key, 'North');
    const accessScope = accountAccessScope(testService, device.owner.key);
    const other = await recordingDevice(device.owner);
    const put = (vehicle_key: string, nickname: string, ...keys: string[]) =>
      updateVehicle(accessScope, vehicle_key, { nickname, group_keys: keys });
    await put(device.vehicle_key, 'Red van', north.key);
    await put(other.vehicle_key, 'Blue van');
    const issued = await share({ vehicle_key: undefined, group_key: north.key, embeds_live: true });
    await drawn();
    await request('POST', '/ingest', { authorization: `Bearer ${other.secret}` }, { points: [at(5, 'engine_start')] });
    const file = `${host.issuer}/service-web-components.maplibre.umd.js`;
    const body = `<!doctype html><script src="${file}"></script>
<service-trips-map share="${secretOf(issued)}" style="display:block;height:500px"></service-trips-map>`;
    const { page } = await pageOf(SHOP, body);
    const names = page.locator('[part~=live-vehicle] b');
    await expect.poll(() => names.allTextContents()).toEqual(['Red van']);
    await put(other.vehicle_key, 'Blue van', north.key);
    await expect.poll(() => names.allTextContents()).toEqual(['Blue van', 'Red van']);
    await page.getByRole('button', { name: 'Red van' }).click();
    const map = page.locator('service-trips-map');
    await expect.poll(() => map.evaluate((element) => Object(element).trips?.length)).toBe(1);
    await put(device.vehicle_key, 'Red van');
    await expect.poll(() => names.allTextContents()).toEqual(['Blue van']);
    await expect.poll(() => map.evaluate((element) => Object(element).trips?.length)).toBe(0);
    await request('DELETE', `/share/${issued.key}`, device.owner.headers);
    await expect.poll(() => map.evaluate((element) => Object(element).state)).toBe('sign-in');
    await page.close();
  });

  test('the component shows a share without a backend', async () => {
    const issued = await share({});
    await drawn();
    const file = `${host.issuer}/service-web-components.maplibre.umd.js`;
    const body = `<!doctype html><script src="${file}"></script>
<service-trips-map share="${secretOf(issued)}" style="display:block;height:500px"></service-trips-map>`;
    const { page } = await pageOf(SHOP, body);
    const map = page.locator('service-trips-map');
    await expect.poll(() => map.evaluate((element) => Object(element).trips?.length)).toBe(1);
    await page.close();
    const { page: other } = await pageOf('https://other.example', body);
    const refused = other.locator('service-trips-map');
    await expect.poll(() => refused.evaluate((element) => Object(element).state)).toBe('sign-in');
    await other.close();
  });
});
