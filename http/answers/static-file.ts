import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { Compressible } from './compressible.ts';
import { encodingFor } from './content-encoding.ts';
import { listsWeakly } from './preconditions.ts';

/** Below Brotli's maximum, 11, which takes seconds for the component file and saves only three percent. */
const EFFORT = { br: 9, gzip: 9 } as const;
const THRESHOLD = 1024;

/** Headers with which a file is served. */
export interface StaticFileOptions {
  readonly type: string;
  readonly cacheControl: string;
  /** Pages of every origin may read it. */
  readonly shared?: boolean;
}

/** A file in memory: compressed once, on its first request, with a strong ETag (RFC 9110, section 8.8.3). */
export class StaticFile {
  readonly #bytes: Compressible;
  readonly #options: StaticFileOptions;
  /** Start of the SHA-256 hash of the content, in 22 characters of base64url. */
  readonly digest: string;
  #integrity: string | null = null;

  constructor(content: Buffer | string, options: StaticFileOptions) {
    this.#bytes = new Compressible(Buffer.from(content), EFFORT);
    this.#options = options;
    this.digest = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  }

  /** Hash for the attribute `integrity` of an element that loads it (Subresource Integrity). */
  async integrity(): Promise<string> {
    this.#integrity ??= `sha384-${createHash('sha384')
      .update(await this.#bytes.in(null))
      .digest('base64')}`;
    return this.#integrity;
  }

  /** Answers a request for it: whole, or by 304 if the client has it already. An address with its digest caches it for longer. */
  async send(request: FastifyRequest, reply: FastifyReply, caching?: string): Promise<FastifyReply> {
    const { type, cacheControl: usual, shared } = this.#options;
    const cacheControl = caching ?? usual;
    const encoding =
      this.#bytes.length < THRESHOLD ? null : encodingFor(String(request.headers['accept-encoding'] ?? ''));
    // The representations differ by their bytes, and so must their tags.
    const etag = `"${this.digest}${encoding === null ? '' : `-${encoding}`}"`;
    reply.headers({ ETag: etag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' });
    if (shared) reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    if (listsWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (encoding !== null) reply.header('Content-Encoding', encoding);
    return reply.type(type).send(await this.#bytes.in(encoding));
  }
}
