import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  remoteEmbed,
  type Sites,
  endpointFor,
  isListedHost,
  guardedGet,
} from '../../../content/oembed/remote-embed.ts';
import {
  GuardedRequestError,
  isPublicAddress,
  PUBLIC_INTERNET,
  type Reach,
} from '../../../http/outgoing/guarded-request.ts';

/** Every name leads to this machine, and this machine may be reached: what production never allows. */
const THIS_MACHINE: Reach = {
  resolve: async () => ['127.0.0.1'],
  isAllowedAddress: (address) => address === '127.0.0.1',
  isAllowedPort: () => true,
};
const everyHost = () => true;

let server: Server;
let port: number;
let answer: RequestListener;
let requested: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push(`${request.headers.host?.split(':')[0]}${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ({ port } = server.address() as AddressInfo);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  requested = [];
  answer = (_request, response) => response.end('answer');
});

const get = (url: string, reach: Reach = THIS_MACHINE) => guardedGet(url, everyHost, reach);
const redirectTo = (location: string): RequestListener => {
  return (request, response) => {
    if (request.url === '/start') response.writeHead(302, { location }).end();
    else response.end('inside');
  };
};

test.each([
  ...['127.0.0.1', '127.9.9.9', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254'],
  ...['100.64.0.1', '0.0.0.0', '192.0.0.1', '192.0.2.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '240.0.0.1'],
  ...['255.255.255.255', '::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12:3456::1', 'fec0::1', 'ff02::1'],
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::1'],
  ...['2001::1', '2001:db8::1', '3fff::1', '100::1', 'localhost', '2130706433', ''],
  ...['::7f00:1', '::a00:1', '4000::1', '5f00::1', 'e000::1'],
])('%j is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '93.184.215.14', '2606:4700::1111'])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

describe('the public internet', () => {
  const reach: Reach = { ...PUBLIC_INTERNET, isAllowedPort: () => true };

  test.each([
    ...['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '017700000001', '127.1', '0', '0x7f.1'],
    ...[
      '[::1]',
      '[::127.0.0.1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[fe80::1]',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
    ],
    ...['localhost', '127.0.0.1.', '１２７.０.０.１'],
  ])('does not reach this machine as %s', async (host) => {
    await expect(get(`http://${host}:${port}/`, reach)).rejects.toThrow(GuardedRequestError);
    expect(requested).toEqual([]);
  });

  test.each([
    [['127.0.0.1']],
    [['10.1.2.3']],
    [['::1']],
    [['fd00::1']],
    [['::ffff:192.168.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [[]],
  ])('does not reach a name that resolves to %j', async (addresses) => {
    const poisoned = { ...reach, resolve: async () => addresses };
    await expect(get(`http://video.example:${port}/`, poisoned)).rejects.toThrow(GuardedRequestError);
    expect(requested).toEqual([]);
  });

  test('does not reach a name that is not resolved', async () => {
    const failing = { ...reach, resolve: () => Promise.reject(new Error('ENOTFOUND')) };
    await expect(get('http://video.example/', failing)).rejects.toThrow(GuardedRequestError);
  });

  test.each([
    ...[
      'ftp://video.example/',
      'file:///etc/passwd',
      'gopher://video.example/',
      'data:text/html,x',
      'javascript:1',
      'x',
    ],
    ...['http://user@video.example/', 'http://:secret@video.example/'],
  ])('is not asked for %s', async (url) => {
    const counted = { ...reach, resolve: () => Promise.reject(new Error('asked')) };
    await expect(get(url, counted)).rejects.toThrow(GuardedRequestError);
  });

  test.each([22, 25, 6379, 8080, 8443, 27017])('is not asked on port %i', async (at) => {
    await expect(get(`https://video.example:${at}/`, PUBLIC_INTERNET)).rejects.toThrow('The host is not allowed');
  });
});

describe('a redirect', () => {
  test('is followed to where the first address could have led', async () => {
    answer = redirectTo('/next');
    const { text, url } = await get(`http://video.example:${port}/start`);
    expect([text, url.pathname]).toEqual(['inside', '/next']);
  });

  test.each(['http://127.0.0.1:PORT/', 'http://2130706433:PORT/', 'http://[::1]:PORT/', 'http://inside.example:PORT/'])(
    'is not followed to %s',
    async (location) => {
      answer = redirectTo(location.replace('PORT', String(port)));
      const reach: Reach = {
        ...THIS_MACHINE,
        resolve: async (host) => (host === 'video.example' ? ['127.0.0.1'] : ['10.0.0.1']),
        isAllowedAddress: (address) => address === '127.0.0.1' && requested.length === 0,
      };
      await expect(get(`http://video.example:${port}/start`, reach)).rejects.toThrow(GuardedRequestError);
      expect(requested).toEqual(['video.example/start']);
    },
  );

  test.each([
    'file:///etc/passwd',
    'ftp://video.example/',
    'http://user:secret@video.example/',
    'http://other.example/',
  ])('is not followed to %s', async (location) => {
    answer = redirectTo(location);
    const listed = (host: string) => host === 'video.example';
    await expect(guardedGet(`http://video.example:${port}/start`, listed, THIS_MACHINE)).rejects.toThrow(
      GuardedRequestError,
    );
    expect(requested).toEqual(['video.example/start']);
  });

  test.each(['/in\tside', '/in side', 'http:\\\\video.example\\inside'])('is not followed to %j', async (location) => {
    answer = redirectTo(location);
    await expect(get(`http://video.example:${port}/start`)).rejects.toThrow('The address is not that of a web page');
    expect(requested).toEqual(['video.example/start']);
  });

  test('is not followed for ever', async () => {
    answer = (_request, response) => response.writeHead(302, { location: '/again' }).end();
    await expect(get(`http://video.example:${port}/`)).rejects.toThrow('The site redirects too often');
    expect(requested).toHaveLength(4);
  });
});

test.each(['\n', '\t', '\0', ' ', '\\'])('an address with %j is not asked', async (character) => {
  const address = `http://video.example:${port}/a${character}b`;
  await expect(get(address)).rejects.toThrow('The address is not that of a web page');
  expect(requested).toEqual([]);
});

describe('an answer', () => {
  test('is not read beyond its limit', async () => {
    answer = (_request, response) => {
      const piece = Buffer.alloc(64 * 1024);
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    };
    await expect(get(`http://video.example:${port}/`)).rejects.toThrow('The response of the site is too large');
  });

  test('is not unpacked', async () => {
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    await expect(get(`http://video.example:${port}/`)).rejects.toThrow(GuardedRequestError);
  });

  test('that breaks off is none', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half');
      setImmediate(() => response.destroy());
    };
    await expect(get(`http://video.example:${port}/`)).rejects.toThrow(GuardedRequestError);
  });
});

describe('an embed of another site', () => {
  const EMBED = { type: 'video', version: '1.0', title: 'A drive', html: '<iframe></iframe>', width: 480, height: 270 };
  const request = { maxwidth: 480, maxheight: null, discover: true };
  const sites = (): Sites => ({
    endpointFor: (page) => (page.includes('/listed/') ? `http://video.example:${port}/oembed` : null),
    isListedHost: (host) => host === 'video.example',
    reach: THIS_MACHINE,
  });
  const page = (head: string, embed: unknown = EMBED): RequestListener => {
    return (request, response) => {
      const isPage = request.url?.startsWith('/watch') ?? false;
      response.end(isPage ? `<html><head>${head}</head></html>` : JSON.stringify(embed));
    };
  };

  test('comes from the site that the list names, for the width that was asked for', async () => {
    answer = page('');
    const url = `http://video.example:${port}/listed/1?a=b&c=d`;
    expect(await remoteEmbed({ ...request, url, maxheight: 99 }, sites())).toEqual(EMBED);
    const [query] = requested.map((path) => new URL(`http://${path}`).searchParams);
    expect(Object.fromEntries(query ?? [])).toEqual({
      maxwidth: '480',
      maxheight: '99',
      url,
      dnt: '1',
      format: 'json',
    });
  });

  test('is discovered by the link of a listed page', async () => {
    answer = page(`<link rel='alternate' type="application/json+oembed" href="/oembed?a=1&amp;b=2">`);
    expect(await remoteEmbed({ ...request, url: `http://video.example:${port}/watch/1` }, sites())).toEqual(EMBED);
    expect(requested[1]).toMatch(/^video\.example\/oembed\?a=1&b=2&/);
  });

  test('is not discovered where that was not asked for, at an unlisted host, or through one', async () => {
    answer = page(`<link type="application/json+oembed" href="http://inside.example:${port}/oembed">`);
    const url = `http://video.example:${port}/watch/1`;
    expect(await remoteEmbed({ ...request, url, discover: false }, sites())).toBeNull();
    expect(await remoteEmbed({ ...request, url: `http://inside.example:${port}/watch/1` }, sites())).toBeNull();
    expect(requested).toEqual([]);
    expect(await remoteEmbed({ ...request, url }, sites())).toBeNull();
    expect(requested).toEqual(['video.example/watch/1']);
  });

  test('passes on what the specification names and nothing else', async () => {
    answer = page('', { ...EMBED, secret: 'x', title: { nested: true } });
    const { title: _title, ...rest } = EMBED;
    expect(await remoteEmbed({ ...request, url: `http://video.example:${port}/listed/1` }, sites())).toEqual(rest);
  });

  test.each([null, [], 'text', { type: 'other' }, {}])('is none where the site answers %j', async (embed) => {
    answer = page('', embed);
    expect(await remoteEmbed({ ...request, url: `http://video.example:${port}/listed/1` }, sites())).toBeNull();
  });
});

describe('the list', () => {
  test.each([
    ['https://www.youtube.com/watch?v=1', 'https://www.youtube.com/oembed'],
    ['https://youtu.be/1', 'https://www.youtube.com/oembed'],
    ['https://player.vimeo.com/video/1', 'https://vimeo.com/api/oembed.json'],
    ['https://twitter.com/wordpress/status/1', 'https://publish.twitter.com/oembed'],
    ['https://twitter.com/wordpress', 'https://publish.twitter.com/oembed'],
    ['https://example.com/watch?v=1', null],
    ['https://evil.example/https://www.youtube.com/watch?v=1', null],
    ['https://www.youtube.com.evil.example/watch?v=1', null],
    ['https://vimeo.com@evil.example/', null],
    ['javascript:https://www.youtube.com/watch', null],
  ])('knows for %s the endpoint %s', (url, endpoint) => {
    expect(endpointFor(url)).toBe(endpoint);
  });

  test.each(['evil-youtube.com', 'youtube.com.evil.example', 'youtube.com.', '127.0.0.1', ''])(
    'has no host %j',
    (host) => {
      expect(isListedHost(host)).toBe(false);
    },
  );
});
