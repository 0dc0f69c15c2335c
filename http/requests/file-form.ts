import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Busboy, type BusboyFileStream } from '@fastify/busboy';

import { ServiceError } from '../../schema/service-error.ts';
import { limited, receiveFile } from './temporary-file.ts';

/** A form (RFC 7578) with a file. */
export interface FileForm {
  /** Path of a temporary file, with the extension of the name in the form; undefined if the form has no file. */
  readonly file: string | undefined;
  readonly fields: URLSearchParams;
}

/** Maximum numbers and sizes of the fields of a form, whose values are short. */
const LIMITS = { fields: 100, fieldNameSize: 100, fieldSize: 10_000, headerPairs: 20 };

const EXTENSION = /^\.\w{1,12}$/;

/** Returns true for the content type of a form with files. */
export function isFileForm(contentType: string | undefined): contentType is string {
  return contentType !== undefined && /^multipart\/form-data\s*;/i.test(contentType);
}

/**
 * Reads a form with one file, which is written to a temporary file piece by piece. The caller removes the file.
 * @throws ServiceError BAD_REQUEST if it is no form, or has several files; FastifyError 413 if it is longer than `max` bytes
 */
export async function receiveFileForm(body: Readable, contentType: string, max: number): Promise<FileForm> {
  const form = parserFor(contentType);
  const fields = new URLSearchParams();
  const files: { readonly stream: BusboyFileStream; readonly path: Promise<string> }[] = [];
  form.on('field', (name, value) => fields.append(name, value));
  form.on('file', (_name, stream, fileName) => {
    const extension = extname(fileName ?? '').toLowerCase();
    const path = receiveFile(stream, max, EXTENSION.test(extension) ? extension : '');
    // It is awaited below; a failure before that must not end the process.
    path.catch(() => {});
    files.push({ stream, path });
  });
  try {
    await pipeline(body, limited(max), form);
  } catch (error) {
    for (const { stream } of files) stream.destroy(error instanceof Error ? error : undefined);
    await removeAll(files);
    const isOfConnection = error instanceof Error && 'code' in error;
    throw isOfConnection ? error : badForm('The form is incomplete');
  }
  if (files.length > 1) {
    await removeAll(files);
    throw badForm('The form must have one file');
  }
  return { file: await files[0]?.path, fields };
}

function parserFor(contentType: string) {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
  } catch {
    throw badForm('The form has no boundary');
  }
}

async function removeAll(files: readonly { readonly path: Promise<string> }[]): Promise<void> {
  for (const { path } of files) await path.then((written) => rm(written, { force: true })).catch(() => {});
}

function badForm(message: string): ServiceError {
  return new ServiceError('BAD_REQUEST', message);
}
