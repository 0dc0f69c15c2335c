import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ConfigError } from '../../schema/config-error.ts';
import type { DocumentSource } from './trusted-documents.ts';

/**
 * Reads the files `*.graphql` of a folder, in the order of their names. A byte order mark stays: ids are hashes of the bytes.
 *
 * @throws ConfigError naming TRUSTED_DOCUMENTS if the folder or a file cannot be read
 */
export async function readDocuments(folder: string): Promise<DocumentSource[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.graphql')).toSorted();
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return await Promise.all(
      names.map(async (name) => ({ name, text: decoder.decode(await readFile(join(folder, name))) })),
    );
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'not understood';
    throw new ConfigError(`TRUSTED_DOCUMENTS must be a folder with readable files in UTF-8 (${reason})`, { cause });
  }
}
