import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MediaStorage, StoredFile } from '../../content/media/storage/media-storage.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { allowsRange, preconditionStatus } from '../../http/answers/preconditions.ts';

/** Media types that a browser may show inline, since they run no scripts; all others are downloaded. */
const SHOWN_IN_PLACE = /^(?:image\/(?!svg)|audio\/|video\/|text\/plain$)/;

/** Files open in a sandbox, without scripts, forms or the service's origin. */
const HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=3600',
  'Accept-Ranges': 'bytes',
};

/** The files under `{site_url}/wp-content/uploads/`, whole or by range; paths are keys of the storage. */
export function uploadsEndpoint(siteUrl: URL, storage: MediaStorage): Endpoint {
  const url = `${siteUrl.pathname.replace(/\/$/, '')}/wp-content/uploads/*`;
  return {
    name: 'uploads',
    register: (app) => {
      app.route({
        method: ['GET', 'HEAD'],
        url,
        compress: false,
        handler: async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
          const file = await storage.find(request.params['*']);
          return file === null ? reply.code(404).send() : sendFile(file, request, reply);
        },
      });
    },
  };
}

function sendFile(file: StoredFile, { method, headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ ...HEADERS, ETag: file.etag, 'Last-Modified': file.modified.toUTCString() });
  const status = preconditionStatus(headers, file);
  if (status !== null) return reply.code(status).send();

  const mayBeRange = method === 'GET' && allowsRange(headers['if-range']?.toString(), file);
  const range = mayBeRange ? readByteRange(headers.range, file.length) : null;
  if (range === 'unsatisfiable') return reply.code(416).header('Content-Range', `bytes */${file.length}`).send();
  if (range !== null) {
    reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end - 1}/${file.length}`);
  }
  const { start, end } = range ?? { start: 0, end: file.length };
  reply.headers({
    'Content-Type': file.type.startsWith('text/') ? `${file.type}; charset=utf-8` : file.type,
    'Content-Disposition': SHOWN_IN_PLACE.test(file.type) ? 'inline' : 'attachment',
    'Content-Length': end - start,
  });
  return method === 'HEAD' ? reply.send() : reply.send(Readable.from(file.read(start, end), { objectMode: false }));
}

/** A range of bytes, from `start` to `end` (exclusive). */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header for a file of `length` bytes (RFC 9110, section 14.2); `'unsatisfiable'` if it starts
 * behind the end, null if the whole file is sent: no range, several, another unit, or unreadable.
 */
function readByteRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return null;
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 || length === 0 ? 'unsatisfiable' : { start: Math.max(0, length - suffix), end: length };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= length) return 'unsatisfiable';
  return { start, end: last === '' ? length : Math.min(length, Number(last) + 1) };
}
