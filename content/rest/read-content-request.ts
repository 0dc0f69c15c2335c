import type { FastifyRequest } from 'fastify';

import type { IncomingBody, UploadedFile } from '../access/content-context.ts';
import { type ContentRequest, invalidJson } from './content-request.ts';
import { notUtf8, type ParameterTree, parsePhpQuery, phpTree } from './php-query.ts';
import { ContentError } from '../schema/content-error.ts';
import { decodedPath } from '../../http/requests/decoded-path.ts';
import { demandUtf8, textOf } from '../../http/requests/utf8.ts';

/** The parts of a request to the content interface. */
export interface ReadContentRequest {
  readonly content: ContentRequest;
  /** The raw body, for operations that take files. */
  readonly body: IncomingBody;
  /** Nonce of a session by cookie. */
  readonly nonce: string | undefined;
}

/**
 * Reads the parts of a request as the reference does: `_method` and `X-HTTP-Method-Override` replace the method, a path
 * may end in a slash, and a body is read with any method. `prefix` is the path of the interface.
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

/** Contents of a body that is a form. A multipart form itself is not a file. */
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

/** Maximum number of parts of a form: PHP's `max_input_vars` and `max_file_uploads` together. */
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

/** A part of a form (RFC 7578). */
export interface FormPart {
  readonly name: string;
  /** Undefined for a field. */
  readonly fileName: string | undefined;
  readonly type: string;
  /** A view of the body, not a copy. */
  readonly bytes: Buffer;
}

const LINE_END = '\r\n';

/** Maximum size of the headers of a part, in bytes: that of the headers of a request. */
const MAX_HEAD = 16 * 1024;

/**
 * Reads the parts of a form as PHP does: with values of parameters in either kind of quotation marks or none, in which a
 * backslash escapes them. A part without a name or an end, or with too long a head, is ignored.
 *
 * @throws ServiceError BAD_REQUEST for a head that is not UTF-8
 */
export function* readMultipart(contentType: string, body: Buffer): Generator<FormPart> {
  const boundary = parametersIn(contentType).get('boundary') ?? '';
  if (boundary === '') return;
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`, 'latin1');
  // The first delimiter may be the start of the body, without the line before it.
  const isFirst = body.indexOf(delimiter.subarray(2)) === 0;
  let start = isFirst ? delimiter.length - 2 : endOf(delimiter, body, 0);
  while (start >= 0 && body.toString('latin1', start, start + 2) !== '--') {
    const end = body.indexOf(delimiter, start);
    if (end < 0) return;
    const part = formPartOf(body.subarray(start + LINE_END.length, end));
    if (part) yield part;
    start = end + delimiter.length;
  }
}

function endOf(delimiter: Buffer, body: Buffer, from: number): number {
  const at = body.indexOf(delimiter, from);
  return at < 0 ? at : at + delimiter.length;
}

function formPartOf(part: Buffer): FormPart | null {
  const end = part.subarray(0, MAX_HEAD).indexOf(LINE_END + LINE_END);
  if (end < 0) return null;
  const lines = textOf(part.subarray(0, end)).split(LINE_END);
  const header = (name: string) => lines.find((line) => line.toLowerCase().startsWith(`${name}:`)) ?? '';
  const parameters = parametersIn(header('content-disposition'));
  const name = parameters.get('name');
  if (name === undefined) return null;
  const type = header('content-type').slice('content-type:'.length).trim();
  return { name, fileName: parameters.get('filename'), type, bytes: part.subarray(end + 2 * LINE_END.length) };
}

/** A parameter of a header, with its value in quotation marks or without. */
const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^;]*))/gs;

/** The parameters of a header by name; the last of two wins. */
function parametersIn(header: string): ReadonlyMap<string, string> {
  const found = [...header.matchAll(PARAMETER)].map(([, name = '', double, single, bare = '']) => {
    const value = double?.replace(/\\(["\\])/g, '$1') ?? single?.replace(/\\(['\\])/g, '$1') ?? bare.trim();
    return [name.toLowerCase(), value] as const;
  });
  return new Map(found);
}
