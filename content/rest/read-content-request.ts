import type { FastifyRequest } from 'fastify';

import type { IncomingBody, UploadedFile } from '../access/content-context.ts';
import { type ContentRequest, invalidJson } from './content-request.ts';
import { notUtf8, type ParameterTree, parsePhpQuery, phpTree } from './php-query.ts';
import { readMultipart } from './read-multipart.ts';
import { ContentError } from '../schema/content-error.ts';
import { decodedPath } from '../../http/requests/decoded-path.ts';
import { demandUtf8, textOf } from '../../http/requests/utf8.ts';

/** The parts of a request to the content interface. */
export interface ReadContentRequest {
  readonly content: ContentRequest;
  /** The body as it came, for what takes files. */
  readonly body: IncomingBody;
  /** Nonce of a session by cookie. */
  readonly nonce: string | undefined;
}

/**
 * Reads the parts of a request as the reference does: `_method` and `X-HTTP-Method-Override` replace the method, a path
 * may end in a slash, and a body is read whatever the method. `prefix` is the path of the interface.
 */
export function readContentRequest(request: FastifyRequest, prefix: string): ReadContentRequest {
  const { pathname, search } = splitUrl(request.raw.url ?? '');
  const query = parsePhpQuery(search);
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const contentType = request.headers['content-type'] ?? '';
  const form = readForm(contentType, bytes);
  const override = query._method ?? request.headers['x-http-method-override'];
  const nonce = request.headers['x-wp-nonce'] ?? query._wpnonce;
  return {
    content: {
      method: String(override ?? request.method).toUpperCase(),
      path: requestedPath(pathname, query, prefix),
      query,
      form: form.fields,
      json: readJson(contentType, bytes),
    },
    body: { headers: namedOnce(request), bytes: form.hasParts ? new Uint8Array() : bytes, files: form.files },
    nonce: nonce === undefined ? undefined : String(nonce),
  };
}

/** The path below that of the interface, or the one that `rest_route` names. */
function requestedPath(pathname: string, { rest_route }: ParameterTree, prefix: string): string {
  const below = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname.split('/wp-json')[1];
  const path = below ?? String(rest_route ?? '');
  return path.replace(/\/+$/, '') || '/';
}

function splitUrl(url: string): { readonly pathname: string; readonly search: string } {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  return { pathname: decodedPath(path), search: at < 0 ? '' : url.slice(at + 1) };
}

function readJson(contentType: string, bytes: Buffer): string | undefined {
  if (!/^application\/json\s*(?:;|$)/i.test(contentType)) return undefined;
  demandUtf8(contentType);
  try {
    return textOf(bytes);
  } catch {
    throw invalidJson(5, 'Malformed UTF-8 characters, possibly incorrectly encoded');
  }
}

/** Contents of a body that is a form. A form of parts is no file by itself. */
interface ReadForm {
  readonly hasParts: boolean;
  readonly fields: ParameterTree;
  readonly files: ReadonlyMap<string, UploadedFile>;
}

const NO_FORM: ReadForm = { hasParts: false, fields: {}, files: new Map() };

function readForm(contentType: string, bytes: Buffer): ReadForm {
  if (/^application\/x-www-form-urlencoded/i.test(contentType)) {
    return { hasParts: false, fields: parsePhpQuery(textOf(bytes, contentType)), files: new Map() };
  }
  return /^multipart\/form-data/i.test(contentType) ? readParts(contentType, bytes) : NO_FORM;
}

/** Maximum parts of a form: PHP's `max_input_vars` and `max_file_uploads` together. */
const MAX_PARTS = 1020;
const TOO_MANY_PARTS = `The form has more than ${MAX_PARTS} parts; send fewer`;

/** Puts the parts of a form together as PHP does: of two files of one name, the last one counts. */
function readParts(contentType: string, body: Buffer): ReadForm {
  const fields: [string, string][] = [];
  const files = new Map<string, UploadedFile>();
  let parts = 0;
  for (const { name, fileName, type, bytes } of readMultipart(contentType, body)) {
    if (++parts > MAX_PARTS) throw new ContentError('rest_invalid_request', TOO_MANY_PARTS, 413);
    if (fileName === undefined) fields.push([name, fieldOf(name, type, bytes)]);
    else files.set(name, { name: fileName, type, bytes });
  }
  return { hasParts: true, fields: phpTree(fields), files };
}

/** Text of a field; its type may name a charset (RFC 7578, section 4.4). */
function fieldOf(name: string, type: string, bytes: Buffer): string {
  demandUtf8(type);
  try {
    return textOf(bytes);
  } catch {
    throw notUtf8(name);
  }
}

function namedOnce({ headers }: FastifyRequest): IncomingBody['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
}
