import { constants } from 'node:zlib';

import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Answers below this many bytes fit into the first packets anyway; compressing them costs more than it saves. */
export const THRESHOLD = 2048;
/** Brotli's own default, 11, is for files that are compressed once. */
const QUALITY = 4;
/** Effort of compression of what was made for an answer, kept or not. */
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
