import { createHash } from 'node:crypto';

import { ContentError } from '../../schema/content-error.ts';
import type { IncomingBody, UploadedFile } from '../../access/content-context.ts';

import { readFileName } from './file-name.ts';
import { checkUpload } from './take-upload.ts';

const NOT_PERMITTED = 'Sorry, this file type is not permitted for security reasons.';
const IS_EMPTY =
  'File is empty. Please upload something more substantial. This error could also be caused by uploads being disabled ' +
  'in your php.ini or by post_max_size being defined as smaller than upload_max_filesize in php.ini.';

/**
 * The file that a request uploads: the part `file` of a form, or the whole body, named by `Content-Disposition`.
 *
 * @throws ContentError if there is none, `Content-MD5` differs, or it may not be uploaded
 */
export async function readUpload(body: IncomingBody): Promise<UploadedFile> {
  return body.files.size > 0 ? fromForm(body) : fromBody(body);
}

async function fromForm({ files, headers }: IncomingBody): Promise<UploadedFile> {
  const file = files.get('file');
  const bytes = file?.bytes ?? new Uint8Array();
  checkDigest(headers['content-md5'], bytes);
  if (file?.name === '') throw failed('No file was uploaded.');
  if (!file || bytes.length === 0) throw failed(IS_EMPTY);
  const upload = await checkUpload(file.name.replace(/^.*[/\\]/s, ''), bytes);
  if (!upload) throw failed(NOT_PERMITTED);
  return upload;
}

async function fromBody({ bytes, headers }: IncomingBody): Promise<UploadedFile> {
  if (bytes.length === 0) throw new ContentError('rest_upload_no_data', 'No data supplied.', 400);
  const disposition = headers['content-disposition'];
  if (!disposition) {
    throw new ContentError('rest_upload_no_content_disposition', 'No Content-Disposition supplied.', 400);
  }
  const name = fileNameIn(disposition);
  if (name === '') {
    const message =
      'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as ' +
      '`attachment; filename="image.png"` or similar.';
    throw new ContentError('rest_upload_invalid_disposition', message, 400);
  }
  checkDigest(headers['content-md5'], bytes);
  const upload = await checkUpload(readFileName(Buffer.from(name, 'latin1')), bytes);
  if (!upload) throw new ContentError('rest_upload_sideload_error', NOT_PERMITTED, 500);
  return upload;
}

/** The parameter `filename` of a disposition (RFC 6266, section 4.1), with or without quotes; empty if it has none. */
function fileNameIn(disposition: string): string {
  const [, ...parts] = disposition.split(';');
  let name = '';
  for (const part of parts) {
    const [, key, value = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/s.exec(part) ?? [];
    if (key === 'filename') name = value;
  }
  return /^".*"$/s.exec(name) ? name.slice(1, -1) : name;
}

/** `Content-MD5` is the digest in hexadecimal here, as the reference reads it. */
function checkDigest(expected: string | undefined, bytes: Uint8Array): void {
  if (!expected || expected.trim() === createHash('md5').update(bytes).digest('hex')) return;
  throw new ContentError('rest_upload_hash_mismatch', 'Content hash did not match expected.', 412);
}

function failed(message: string): ContentError {
  return new ContentError('rest_upload_unknown_error', message, 500);
}
