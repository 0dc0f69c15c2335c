import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

import type { TripsMapEvents } from '../../element/trips-map-events.ts';
import { BUILT_FILES, builtFile, type Engine } from './built-file.ts';
import { closeServer, listenOnLoopback } from '../hosts/loopback.ts';

/** A page that embeds the component. */
export interface SitePage {
  readonly body: string;
  /** Its Content-Security-Policy. */
  readonly csp?: string | undefined;
  /** The GraphQL address that the server has written into its copy of the component. */
  readonly filled?: string | undefined;
  /** Attributes of its root element; English if absent. */
  readonly root?: string | undefined;
}

/** A running site on loopback. */
export interface EmbeddingSite {
  /** Adds a page and answers its address. */
  add(page: SitePage): string;
  close(): Promise<void>;
}

const EVENT_NAMES: readonly (keyof TripsMapEvents)[] = [
  'mount',
  'unmount',
  'map-load',
  'trip-loading',
  'api-error',
  'auth-error',
  'trip-render',
  'error',
  'address-not-found',
  'live-connected',
  'live-position',
  'live-disconnected',
];

/** Serves copies of a built file, of another version where its query names one, pages that load them as modules, the local styles, and a font. */
export async function startEmbeddingSite(engine: Engine): Promise<EmbeddingSite> {
  const script = await readFile(await builtFile(engine), 'utf8');
  const scriptName = BUILT_FILES[engine];
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const pages: SitePage[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    const [folder = '', name = ''] = pathname.slice(1).split('/');
    const page = pages[Number(folder)];
    const send = (type: string, body: string | Buffer): void => {
      const csp = page?.csp ? { 'content-security-policy': page.csp } : {};
      response.writeHead(200, { 'content-type': type, ...csp }).end(body);
    };
    if (!page) response.writeHead(404).end();
    else if (name === scriptName) send('text/javascript; charset=utf-8', scriptFor(page, searchParams.get('version')));
    else if (name.endsWith('.json'))
      send('application/json', await readFile(new URL(`../../element/${name}`, import.meta.url), 'utf8'));
    else if (name.endsWith('.woff2')) send('font/woff2', await readFile(new URL(`fonts/${name}`, import.meta.url)));
    else send('text/html; charset=utf-8', htmlOf(page, scriptName));
  });
  const scriptFor = ({ filled }: SitePage, otherVersion: string | null): string => {
    const copy = script.replaceAll('__WAYBRIDGE_GRAPHQL_URL__', filled ?? '$&');
    return otherVersion === null ? copy : copy.replaceAll(`\`${version}\``, `\`${otherVersion}\``);
  };
  const port = await listenOnLoopback(server);
  return {
    add: (page) => `http://127.0.0.1:${port}/${pages.push(page) - 1}/`,
    close: () => closeServer(server),
  };
}

/** Records the component's events, in `seen`, in a form that crosses to the test. */
const RECORDER = `
  seen = [];
  const plain = (detail) => {
    if (detail instanceof Error) return { error: detail.message };
    if (detail instanceof HTMLElement) return detail.localName;
    return typeof detail === 'object' && 'getStyle' in detail ? 'map' : detail;
  };
  for (const type of ${JSON.stringify(EVENT_NAMES)}) {
    document.addEventListener(type, (event) => {
      if (event instanceof CustomEvent) seen.push({ type, detail: plain(event.detail) });
    });
  }`;

function htmlOf({ body, root = 'lang="en-US"' }: SitePage, script: string): string {
  return `<!doctype html><html ${root}><meta charset="utf-8"><title>Embedding page</title>
<style nonce="page">body{margin:24px;font-family:"Open Sans",sans-serif;--trips-map-font:"Open Sans",sans-serif}</style>
<script nonce="page">${RECORDER}</script><script nonce="page" type="module" src="${script}"></script>${body}</html>`;
}
