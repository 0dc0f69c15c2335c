/**
 * Starts the browser in which the component and the pages are tested: one that comes from npm, with its own libraries.
 *
 * `$CHROMIUM_PATH` wins, then `@sparticuz/chromium`, then `/usr/bin/chromium`.
 *
 * @module
 */
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Browser, chromium } from 'playwright-core';

import { testCertificate } from '../hosts/test-host.ts';
import { drawRarely } from './draw-rarely.ts';
import { type Chromium, packagedChromium } from './packaged-chromium.ts';

/** Options of a browser for tests. */
export interface BrowserOptions {
  /**
   * PEM certificates whose key the browser accepts although no public authority signed them: a server's own, or any
   * other of the chain that the server sends. Everything else is checked as usual.
   */
  readonly trust?: readonly string[];
}

/**
 * WebGL without a graphics card, by which nothing else is drawn, since that takes three times as long; root has no sandbox;
 * `/dev/shm` is tiny in containers.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--ignore-gpu-blocklist',
  '--disable-gpu-compositing',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--font-render-hinting=none',
];

/** Opens a headless Chromium; the caller closes it. */
export async function openBrowser({ trust = [] }: BrowserOptions = {}): Promise<Browser> {
  const { path, env } = await findChromium();
  const keys = trust.map(publicKeyHash).join(',');
  try {
    return await chromium.launch({
      executablePath: path,
      env: { ...process.env, ...env },
      args: keys ? [...FLAGS, `--ignore-certificate-errors-spki-list=${keys}`] : FLAGS,
    });
  } catch (error) {
    throw explain(error, path);
  }
}

let shared: Promise<Browser> | undefined;

/**
 * The browser that the test files of a worker share; it trusts the certificate of their hosts, and draws rarely. It ends with the process;
 * who opens pages calls {@link closePages}.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= testCertificate().then(async ({ cert }) => drawRarely(await openBrowser({ trust: [cert] })));
  return shared;
}

/** Gives a data folder the key that {@link sharedBrowser} trusts; a service that starts on it gets a certificate for that key. */
export async function useTrustedKey(dataDir: string): Promise<void> {
  const { key } = await testCertificate();
  await mkdir(join(dataDir, 'tls'), { recursive: true, mode: 0o700 });
  await writeFile(join(dataDir, 'tls/server-key.pem'), key, { mode: 0o600 });
}

/** Closes all pages of a browser, with what they have stored. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

async function findChromium(): Promise<Chromium> {
  const own = process.env.CHROMIUM_PATH;
  if (own) return { path: own, env: {} };
  const packaged = await packagedChromium();
  if (packaged) return packaged;
  const system = '/usr/bin/chromium';
  if (existsSync(system)) return { path: system, env: {} };
  throw new Error('No browser found: run `npm ci`, or name one in CHROMIUM_PATH, or `apt-get install chromium`');
}

function publicKeyHash(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

/** Debian 12's package of each library that Chromium may ask the system for. */
const PACKAGES: Record<string, string> = {
  'libnss3.so': 'libnss3',
  'libnssutil3.so': 'libnss3',
  'libnspr4.so': 'libnspr4',
  'libplc4.so': 'libnspr4',
  'libplds4.so': 'libnspr4',
  'libexpat.so.1': 'libexpat1',
  'libgcc_s.so.1': 'libgcc-s1',
  'libm.so.6': 'libc6',
};

function explain(error: unknown, path: string): unknown {
  const library = /(lib[\w.+-]+): cannot open shared object file/.exec(String(error))?.[1];
  if (!library) return error;
  const remedy = PACKAGES[library] ?? `the package that holds ${library}`;
  return new Error(`${path} needs the system library ${library}: \`apt-get install ${remedy}\``, { cause: error });
}
