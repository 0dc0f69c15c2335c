import { ServiceError } from '../../schema/service-error.ts';

const DECODER = new TextDecoder('utf-8', { fatal: true });

/**
 * Text of a body, without a byte order mark.
 *
 * @param contentType the `Content-Type` of the body
 * @throws ServiceError BAD_REQUEST if the type names another charset than UTF-8, or the bytes are not UTF-8
 */
export function textOf(body: Uint8Array, contentType?: string): string {
  demandUtf8(contentType);
  try {
    return DECODER.decode(body);
  } catch {
    throw new ServiceError('BAD_REQUEST', 'The body must be UTF-8');
  }
}

/** @throws ServiceError BAD_REQUEST if a `Content-Type` names another charset than UTF-8 */
export function demandUtf8(contentType = ''): void {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType) ?? [];
  if (/^utf-?8$/i.test(charset)) return;
  throw new ServiceError('BAD_REQUEST', `The charset of Content-Type must be UTF-8, not ${charset}`);
}

/**
 * Query of a URL: all that follows the first `?` (RFC 3986, section 3.4).
 *
 * @throws ServiceError BAD_REQUEST if it is not percent-encoded UTF-8
 */
export function queryOf(url = ''): URLSearchParams {
  const at = url.indexOf('?');
  return parametersIn(at < 0 ? '' : url.slice(at + 1), 'query');
}

/** @throws ServiceError BAD_REQUEST if the percent-escapes of a form are not UTF-8 */
export function formParameters(form: string): URLSearchParams {
  return parametersIn(form, 'form');
}

function parametersIn(text: string, place: 'query' | 'form'): URLSearchParams {
  try {
    decodeEscapes(text);
  } catch {
    throw new ServiceError('BAD_REQUEST', `The ${place} must be percent-encoded UTF-8`);
  }
  return new URLSearchParams(text);
}

/**
 * Decodes percent-escapes; a `%` that begins none stays.
 *
 * @throws URIError if they are not UTF-8
 */
export function decodeEscapes(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodeURIComponent(escapes));
}
