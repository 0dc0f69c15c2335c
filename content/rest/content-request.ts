import { ContentError } from '../schema/content-error.ts';
import { findTooDeep } from '../../schema/json-depth.ts';

import { asPhpArray, type ParameterTree } from './php-query.ts';

/** A request to the content interface. */
export interface ContentRequest {
  /** In upper case; that of `_method` or `X-HTTP-Method-Override`, if there is one. */
  readonly method: string;
  /** Below the root of the interface, decoded, with a leading slash and none at the end: `/wp/v2/posts`. */
  readonly path: string;
  readonly query: ParameterTree;
  /** Members of a form in the body. */
  readonly form: ParameterTree;
  /** The body as text where its type is JSON; undefined otherwise. */
  readonly json: string | undefined;
  /** True for an object that another answer embeds, of which nobody sees the headers. */
  readonly isEmbedded?: boolean;
}

/**
 * The parameters of a request by name. Where a name is given more than once, JSON comes before a form, a form before the
 * query, and the path last: a JSON `id` overrides that of the path. `null` gives way to any other value.
 * @throws ContentError `rest_invalid_json` whatever the method
 */
export function parametersOf(request: ContentRequest, inPath: ParameterTree): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const source of [inPath, request.query, request.form, readJson(request.json)]) {
    for (const [name, value] of Object.entries(source)) {
      if (value !== null || !Object.hasOwn(given, name)) given[name] = value;
    }
  }
  return given;
}

/** Maximum depth of JSON, that of PHP's `json_decode`. */
const PHP_JSON_DEPTH = 512;

function readJson(text: string | undefined): ParameterTree {
  if (text === undefined || text === '') return {};
  if (findTooDeep(text, PHP_JSON_DEPTH) !== null) throw invalidJson(1, 'Maximum stack depth exceeded');
  try {
    const value: unknown = JSON.parse(text, asPhpArray);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ParameterTree) : {};
  } catch {
    throw invalidJson(4, 'Syntax error');
  }
}

function invalidJson(code: number, message: string): ContentError {
  return new ContentError('rest_invalid_json', 'Invalid JSON body passed.', 400, {
    json_error_code: code,
    json_error_message: message,
  });
}
