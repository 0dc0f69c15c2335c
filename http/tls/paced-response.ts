import { ServerResponse } from 'node:http';
import { Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';

/**
 * Maximum size of the pieces of an answer that a connection gets before its client has read the previous ones, in bytes. TLS
 * encrypts data immediately, so without this limit each stalled client would hold a copy of its whole answer.
 */
const PIECE = 32 * 1024;

/** An answer by HTTP/1.1, of which a slow client holds one piece at a time. */
export class PacedResponse extends ServerResponse {
  override end(body?: unknown, encoding?: unknown, callback?: unknown): this {
    if (!encoding && !callback && sendInPieces(body, this)) return this;
    return super.end(body, encoding as BufferEncoding, callback as () => void);
  }
}

/** An answer by HTTP/2, of which a slow client holds one piece at a time. */
export class PacedHttp2Response extends Http2ServerResponse {
  override end(body?: unknown, encoding?: unknown, callback?: unknown): this {
    if (!encoding && !callback && sendInPieces(body, this)) return this;
    return super.end(body as string, encoding as BufferEncoding, callback as () => void);
  }
}

/** Sends a long body by pieces of the same memory; returns false for a short one. */
function sendInPieces(body: unknown, response: ServerResponse | Http2ServerResponse): boolean {
  if ((typeof body !== 'string' && !(body instanceof Uint8Array)) || body.length <= PIECE) return false;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (!response.headersSent && !response.hasHeader('Transfer-Encoding')) {
    response.setHeader('Content-Length', bytes.length);
  }
  Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: 1 }).pipe(response);
  return true;
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}
