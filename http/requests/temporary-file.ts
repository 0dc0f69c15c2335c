import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { errorCodes } from 'fastify';

/**
 * Writes a body to a temporary file piece by piece, and returns its path, which ends with `extension`. The caller removes the
 * file.
 * @throws FastifyError 413 if the body is longer than `max` bytes; the error of the connection or the file system
 */
export async function receiveFile(body: Readable, max: number, extension = ''): Promise<string> {
  const path = join(tmpdir(), `waybridge-body-${randomUUID()}${extension}`);
  try {
    await pipeline(body, limited(max), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return path;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Passes on at most `max` bytes; fails with 413 if there are more. */
export function limited(max: number): Transform {
  let length = 0;
  return new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      length += piece.length;
      if (length > max) done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      else done(null, piece);
    },
  });
}
