import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

import type { Answer } from './answer.ts';

/** Host and port by which both sides call themselves in every address, wherever they listen. */
export const PUBLIC_HOST = 'localhost:8443';
/** Public origin of all endpoints of both sides. */
export const ORIGIN = `https://${PUBLIC_HOST}`;

/** Settings that are the same on both sides, so that links in answers are. */
const SETTINGS: Readonly<Record<string, string>> = {
  DATA_DIR: './data',
  BASE_URL: `${ORIGIN}/api/v2`,
  AUTH_URL: ORIGIN,
  SITE_URL: ORIGIN,
  GRAPHQL_URL: `${ORIGIN}/graphql`,
  // Windows of a minute stand elsewhere on each side; limits have tests of their own.
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
};

/** Printed last by a service that is ready. */
const READY = 'Ctrl-C ends it';

/** Media types whose bodies are compared as text. */
const TEXT = /^text\/|json|xml|javascript|urlencoded|svg/;

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Uint8Array | string | null;
}

/** A program at work in a folder of its own: the commit's, or the tree's. */
export class Side {
  readonly name: string;
  /** Folder of the checkout, with `build/`. */
  readonly root: string;
  /** Folder in which commands run; `data/` in it is the data folder. */
  readonly folder: string;
  /** Port that the service listens on; not part of any address that it says. */
  readonly port: number;
  #service: ChildProcessWithoutNullStreams | null = null;
  #agent: Agent | null = null;

  constructor({ name, root, folder, port }: Pick<Side, 'name' | 'root' | 'folder' | 'port'>) {
    this.name = name;
    this.root = root;
    this.folder = folder;
    this.port = port;
  }

  /** Starts the service and answers what it prints until it is ready. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<string> {
    const service = this.#spawn(['serve'], settings);
    this.#service = service;
    let banner = '';
    let errors = '';
    service.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    await new Promise<void>((resolve, reject) => {
      service.stdout.on('data', (chunk) => {
        banner += String(chunk);
        if (banner.includes(READY)) resolve();
      });
      service.once('close', () => reject(new Error(`The service of ${this.name} did not start: ${errors}`)));
    });
    const ca = await readFile(join(this.folder, 'data/tls/ca.pem'), 'utf8');
    this.#agent = new Agent({ ca, keepAlive: true, servername: new URL(settings.AUTH_URL ?? ORIGIN).hostname });
    return banner;
  }

  /** Ends the service, as an operator does. */
  async end(): Promise<void> {
    const service = this.#service;
    this.#agent?.destroy();
    if (service === null || service.exitCode !== null || service.signalCode !== null) return;
    const ended = once(service, 'close');
    service.kill('SIGTERM');
    await ended;
  }

  /** Asks the service by HTTPS; redirects are answers. */
  async ask({ method, path, headers, body }: SentRequest): Promise<Answer> {
    const { port } = this;
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = httpsRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: this.#agent ?? undefined,
      headers: { host: PUBLIC_HOST, ...length, ...headers },
    });
    sent.end(body ?? undefined);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answerOf(answer, await buffer(answer));
  }

  /** Runs a command to its end. */
  async run(args: readonly string[], stdin = '', settings: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const child = this.#spawn(args, { PORT: '0', ...settings });
    child.stdin.on('error', () => undefined).end(stdin);
    // A start that should have failed would serve for ever.
    child.stdout.on('data', (chunk) => void (String(chunk).includes(READY) && child.kill('SIGTERM')));
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return new Map([
      ['exit', String(code)],
      ['stdout', stdout],
      ['stderr', stderr],
    ]);
  }

  #spawn(args: readonly string[], settings: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams {
    const { PATH = '', HOME = '' } = process.env;
    return spawn(process.execPath, [programOf(this.root), ...args], {
      cwd: this.folder,
      env: { PATH, HOME, TZ: 'UTC', ...SETTINGS, PORT: String(this.port), ...settings },
    });
  }
}

/** The built program of a tree; of a commit of before the bundle, among its modules. */
function programOf(root: string): string {
  const bundled = join(root, 'build/bundle/waybridge.js');
  return existsSync(bundled) ? bundled : join(root, 'build/server/waybridge.js');
}

function answerOf(answer: IncomingMessage, bytes: Buffer): Answer {
  const parts: [string, string][] = [['status', `${answer.statusCode} ${answer.statusMessage}`]];
  const headers = Object.entries(answer.headersDistinct).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, values = []] of headers) parts.push([`header ${name}`, values.join('\n')]);
  parts.push(['body', bodyOf(answer, bytes)]);
  return new Map(parts);
}

function bodyOf({ headers }: IncomingMessage, bytes: Buffer): string {
  const type = headers['content-type'] ?? '';
  const content = decoded(headers['content-encoding'], bytes);
  if (content.length === 0 || type === '' || TEXT.test(type)) return content.toString();
  return `${content.length} bytes, SHA-256 ${createHash('sha256').update(content).digest('hex')}`;
}

function decoded(encoding: string | undefined, bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === 'gzip') return gunzipSync(bytes);
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'deflate' ? inflateSync(bytes) : bytes;
}
