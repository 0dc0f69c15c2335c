import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Compressible } from '../../http/answers/compressible.ts';
import { EFFORT } from '../../http/answers/compression.ts';
import { newNonce } from '../../http/answers/page-headers.ts';
import { preconditionStatus } from '../../http/answers/preconditions.ts';
import { sendCompressible } from '../../http/answers/send-compressible.ts';

import { answerName } from './answer-name.ts';
import { currentStamp } from './current-stamp.ts';
import { contentCache, type Keepable } from './content-cache.ts';
import type { Service } from '../../models/store/service.ts';

/** A page, feed or sitemap as it was sent, without the parts that are new in each answer. */
interface KeptPage extends Keepable {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Compressible;
  /** The nonce that headers and body have; null if there is none. */
  readonly nonce: string | null;
  /** True if the body has a part that is new in each answer: the nonce, or the token of a form. */
  readonly isRenewed: boolean;
}

/** Headers of a single response, set before the response is known: HSTS depends on the requested host. */
const OWN_HEADERS = new Set([
  ...['x-request-id', 'date', 'connection', 'strict-transport-security'],
  ...['retry-after', 'ratelimit', 'ratelimit-policy'],
]);
/** Memory that a page takes in addition to its body, in bytes. */
const OVERHEAD = 2048;

/** Part of pages, apart from the nonce, that is new in each answer. */
interface RenewedPart {
  isIn(page: string): boolean;
  /** Returns a page with another one. */
  renewed(service: Service, page: string): Promise<string>;
}

/**
 * Caches the responses of a scope's routes to visitors without a cookie until content changes: pages, feeds, sitemaps.
 * Each response still gets a new nonce and a new form token.
 */
export function keepPages(service: Service, app: FastifyInstance, part: RenewedPart): void {
  const pages = contentCache<KeptPage>();
  /** Names of cacheable answers, with the stamps that were read before these were computed. */
  const keepable = new WeakMap<FastifyRequest, { readonly name: string; readonly stamp: string }>();
  app.addHook('preHandler', async (request, reply) => {
    const name = answerName(request);
    const stamp = name === null ? null : await currentStamp(service);
    if (name === null || stamp === null) return undefined;
    const page = pages.find(name, stamp);
    if (page) return sendPage(service, page, part, request, reply);
    keepable.set(request, { name, stamp });
    return undefined;
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const place = keepable.get(request);
    if (place && typeof payload === 'string' && isKeepable(reply)) {
      pages.keep(place.name, place.stamp, pageOf(reply, payload, part));
    }
    done();
  });
}

/** Returns true if an answer is the same for all visitors at any time; one that is not sets a cookie, or is private. */
function isKeepable(reply: FastifyReply): boolean {
  const isPrivate = String(reply.getHeader('Cache-Control')).startsWith('private');
  return reply.statusCode === 200 && !reply.hasHeader('Set-Cookie') && !isPrivate;
}

function pageOf(reply: FastifyReply, payload: string, part: RenewedPart): KeptPage {
  const sent = Object.entries(reply.getHeaders()).filter(([name]) => !OWN_HEADERS.has(name));
  const headers = Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
  const nonce = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '')?.[1] ?? null;
  const body = new Compressible(Buffer.from(payload), EFFORT);
  const isRenewed = part.isIn(payload) || (nonce !== null && payload.includes(nonce));
  return { headers, body, nonce, isRenewed, size: body.length + OVERHEAD };
}

async function sendPage(
  service: Service,
  page: KeptPage,
  part: RenewedPart,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, body, nonce, isRenewed } = page;
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
  if (!isRenewed) return sendCompressible(body, request, reply);
  const text = (await body.in(null)).toString('utf8');
  return reply.send(await part.renewed(service, nonce === null ? text : text.replaceAll(nonce, fresh)));
}
