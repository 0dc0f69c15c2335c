import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Compressible } from '../../http/answers/compressible.ts';
import { QUALITY } from '../../http/answers/compression.ts';
import { newNonce } from '../../http/answers/page-headers.ts';
import { preconditionStatus } from '../../http/answers/preconditions.ts';
import { sendCompressible } from '../../http/answers/send-compressible.ts';

import { answerName } from './answer-name.ts';
import { currentStamp } from './current-stamp.ts';
import { type Keepable, StampedCache } from './stamped-cache.ts';

/** A page, feed or sitemap as it was sent, without what is new in each answer. */
interface KeptPage extends Keepable {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Compressible;
  /** The nonce that headers and body have; null for none. */
  readonly nonce: string | null;
  /** True where the body has the nonce, too. */
  readonly isNonceInBody: boolean;
}

/** Headers that are of one answer, and are set before it is known which. */
const OWN_HEADERS = new Set(['x-request-id', 'date', 'connection', 'retry-after', 'ratelimit', 'ratelimit-policy']);
/** Memory that a page takes beside its body, in bytes. */
const OVERHEAD = 2048;
const EFFORT = { br: QUALITY, gzip: 6 } as const;

/**
 * Keeps what the routes of a scope answer to visitors without a cookie, as long as no content changes: pages, feeds, sitemaps.
 * Each answer has another nonce nevertheless, and what `renewed` makes anew in a page.
 */
export function keepPages(app: FastifyInstance, renewed: (page: string) => Promise<string>): void {
  const pages = new StampedCache<KeptPage>();
  /** Stamps that were read before the answers that may be kept under them were computed. */
  const stamps = new WeakMap<FastifyRequest, string>();
  app.addHook('preHandler', async (request, reply) => {
    const name = answerName(request);
    const stamp = name === null ? null : await currentStamp();
    if (name === null || stamp === null) return undefined;
    const page = pages.find(name, stamp);
    if (page) return sendPage(page, request, reply, renewed);
    stamps.set(request, stamp);
    return undefined;
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const stamp = stamps.get(request);
    const name = answerName(request);
    if (stamp !== undefined && name !== null && typeof payload === 'string' && isKeepable(reply)) {
      pages.keep(name, stamp, pageOf(reply, payload));
    }
    done();
  });
}

/** Tells whether an answer is the same for all visitors: one that says otherwise sets a cookie. */
function isKeepable(reply: FastifyReply): boolean {
  return reply.statusCode === 200 && !reply.hasHeader('Set-Cookie');
}

function pageOf(reply: FastifyReply, payload: string): KeptPage {
  const sent = Object.entries(reply.getHeaders()).filter(([name]) => !OWN_HEADERS.has(name));
  const headers = Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
  const nonce = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '')?.[1] ?? null;
  const body = new Compressible(Buffer.from(payload), EFFORT);
  const isNonceInBody = nonce !== null && payload.includes(nonce);
  return { headers, body, nonce, isNonceInBody, size: body.length + OVERHEAD };
}

async function sendPage(
  page: KeptPage,
  request: FastifyRequest,
  reply: FastifyReply,
  renewed: (page: string) => Promise<string>,
): Promise<FastifyReply> {
  const { headers, body, nonce, isNonceInBody } = page;
  for (const name of Object.keys(reply.getHeaders())) {
    if (!OWN_HEADERS.has(name) && !Object.hasOwn(headers, name)) reply.removeHeader(name);
  }
  reply.headers(headers);
  const fresh = newNonce();
  const policy = headers['content-security-policy'];
  if (nonce !== null && policy !== undefined) {
    reply.header('Content-Security-Policy', policy.replaceAll(nonce, fresh));
  }
  if (headers.etag !== undefined) {
    const modified = headers['last-modified'] === undefined ? null : new Date(headers['last-modified']);
    const condition = preconditionStatus(request.headers, { etag: headers.etag.replace(/^W\//, ''), modified });
    if (condition !== null) return reply.code(condition).send();
  }
  if (nonce === null || !isNonceInBody) return sendCompressible(body, request, reply);
  return reply.send(await renewed((await body.in(null)).toString('utf8').replaceAll(nonce, fresh)));
}
