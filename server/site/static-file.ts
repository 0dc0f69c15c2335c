import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { type Encoding, encodingFor } from './content-encoding.ts';

/** Below Brotli's greatest, 11, which takes seconds for the component file and gains three percent. */
const BROTLI_QUALITY = 9;
const THRESHOLD = 1024;

/** How a file is served beside its bytes. */
export interface StaticFileOptions {
  readonly type: string;
  readonly cacheControl: string;
  /** Pages of every origin may read it. */
  readonly shared?: boolean;
}

/** A file in memory: compressed once, when somebody first asks, and told apart by a strong ETag (RFC 9110, section 8.8.3). */
export class StaticFile {
  readonly #bytes: Buffer;
  readonly #options: StaticFileOptions;
  readonly #digest: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(content: Buffer | string, options: StaticFileOptions) {
    this.#bytes = Buffer.from(content);
    this.#options = options;
    this.#digest = createHash('sha256').update(this.#bytes).digest('base64url').slice(0, 22);
  }

  /** Answers a request for it: whole, or by 304 where the client has it already. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { type, cacheControl, shared } = this.#options;
    const encoding =
      this.#bytes.length < THRESHOLD ? null : encodingFor(String(request.headers['accept-encoding'] ?? ''));
    // The representations differ by their bytes, and so must their tags.
    const etag = `"${this.#digest}${encoding === null ? '' : `-${encoding}`}"`;
    reply.headers({ ETag: etag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' });
    if (shared) reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    if (holds(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (encoding !== null) reply.header('Content-Encoding', encoding);
    return reply.type(type).send(encoding === null ? this.#bytes : await this.#in(encoding));
  }

  #in(encoding: Encoding): Promise<Buffer> {
    const found = this.#compressed.get(encoding) ?? compress(this.#bytes, encoding);
    this.#compressed.set(encoding, found);
    return found;
  }
}

function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'gzip'
    ? promisify(gzip)(bytes, { level: 9 })
    : promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

/** Whether an `If-None-Match` header holds a tag; it is compared weakly (RFC 9110, section 13.1.2). */
function holds(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
