import type { FastifyRequest } from 'fastify';
import pLimit from 'p-limit';

import type { IncomingBody, UploadedFile } from '../access/content-context.ts';
import type { ContentRequest } from './content-request.ts';
import { type ParameterTree, parsePhpQuery, phpTree } from './php-query.ts';
import { ContentError } from '../schema/content-error.ts';
import { decodedPath } from '../../http/requests/decoded-path.ts';

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
export async function readContentRequest(request: FastifyRequest, prefix: string): Promise<ReadContentRequest> {
  const { pathname, search } = splitUrl(request.raw.url ?? '');
  const query = parsePhpQuery(search);
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const contentType = request.headers['content-type'] ?? '';
  const form = await readForm(contentType, bytes);
  const override = query._method ?? request.headers['x-http-method-override'];
  const nonce = request.headers['x-wp-nonce'] ?? query._wpnonce;
  return {
    content: {
      method: String(override ?? request.method).toUpperCase(),
      path: requestedPath(pathname, query, prefix),
      query,
      form: form.fields,
      json: /^application\/json\s*(?:;|$)/i.test(contentType) ? bytes.toString('utf8') : undefined,
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

/** Contents of a body that is a form. A form of parts is no file by itself. */
interface ReadForm {
  readonly hasParts: boolean;
  readonly fields: ParameterTree;
  readonly files: ReadonlyMap<string, UploadedFile>;
}

const NO_FORM: ReadForm = { hasParts: false, fields: {}, files: new Map() };

async function readForm(contentType: string, bytes: Buffer): Promise<ReadForm> {
  if (/^application\/x-www-form-urlencoded/i.test(contentType)) {
    return { hasParts: false, fields: parsePhpQuery(bytes.toString('utf8')), files: new Map() };
  }
  return /^multipart\/form-data/i.test(contentType) ? readMultipart(contentType, bytes) : NO_FORM;
}

/** Maximum parts of a form: PHP's `max_input_vars` and `max_file_uploads` together. */
const MAX_PARTS = 1020;
const TOO_MANY_PARTS = `The form has more than ${MAX_PARTS} parts; send fewer`;

/** Forms are parsed one after the other, since each is copied meanwhile. */
const parsing = pLimit(1);

/** Counts the parts of a form before it is parsed, which costs a thousand times as much. */
function hasTooManyParts(contentType: string, bytes: Buffer): boolean {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const delimiter = Buffer.from(`--${quoted ?? plain ?? ''}`, 'latin1');
  let parts = 0;
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    // The last delimiter ends the form.
    if (++parts > MAX_PARTS + 1) return true;
  }
  return false;
}

/** A form that cannot be read counts as empty, as in PHP. */
async function readMultipart(contentType: string, bytes: Buffer): Promise<ReadForm> {
  const fields: [string, string][] = [];
  const files = new Map<string, UploadedFile>();
  if (hasTooManyParts(contentType, bytes)) throw new ContentError('rest_invalid_request', TOO_MANY_PARTS, 413);
  try {
    const headers = { 'Content-Type': contentType };
    const form = await parsing(() => new Response(bytes as Uint8Array<ArrayBuffer>, { headers }).formData());
    for (const [name, value] of form) {
      if (typeof value === 'string') fields.push([name, value]);
      else files.set(name, { name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) });
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return { hasParts: true, fields: phpTree(fields), files };
}

function namedOnce({ headers }: FastifyRequest): IncomingBody['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
}
