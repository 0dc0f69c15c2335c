import { constants } from 'node:zlib';

import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Size in bytes below which answers are not compressed: they fit into the first packets anyway. */
export const THRESHOLD = 2048;
/** Brotli's own default, 11, is for files that are compressed once. */
const QUALITY = 4;
/** Compression level for generated answers, cached or not. */
export const EFFORT = { br: QUALITY, gzip: 6 } as const;

/** Compresses text and JSON from 2 KiB on by Brotli or gzip. Requests are not decompressed: a small one could be huge. */
export function compressAnswers(app: FastifyInstance): void {
  app.register(compress, {
    global: true,
    globalDecompression: false,
    threshold: THRESHOLD,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } },
  });
}
