import { createServer, type Server } from 'node:https';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openBrowser } from './browser.ts';
import { listenOnLoopback } from '../hosts/loopback.ts';
import { testCertificate } from '../hosts/test-host.ts';

let server: Server;
let url: string;
let cert: string;
beforeAll(async () => {
  const certificate = await testCertificate();
  cert = certificate.cert;
  server = createServer(certificate, (_, response) => response.end('<title>Ours</title>'));
  url = `https://localhost:${await listenOnLoopback(server)}`;
});
afterAll(() => server.close());

test('the browser refuses a certificate of a local authority, unless it trusts that authority', async () => {
  const wary = await openBrowser();
  const page = await wary.newPage();
  await expect(page.goto(url)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');
  await wary.close();

  const trusting = await openBrowser({ trust: [cert] });
  const trusted = await trusting.newPage();
  await trusted.goto(url);
  expect(await trusted.title()).toBe('Ours');
  await trusting.close();
});

test('the browser draws with WebGL 2', async () => {
  const browser = await openBrowser();
  const page = await browser.newPage();
  const version = await page.evaluate(() => {
    const gl = document.createElement('canvas').getContext('webgl2');
    return gl?.getParameter(gl.VERSION);
  });
  expect(version).toMatch(/^WebGL 2/);
  await browser.close();
});
