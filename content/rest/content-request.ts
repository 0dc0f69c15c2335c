import { ContentError } from '../schema/content-error.ts';
import { findTooDeep, hasMoreValues } from '../../schema/json-depth.ts';
import { hasLoneSurrogate } from '../../schema/lone-surrogate.ts';

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
  /** The body as text if its type is JSON; undefined otherwise. */
  readonly json: string | undefined;
  /** True for an object that another answer embeds, whose headers are not sent. */
  readonly isEmbedded?: boolean;
}

/**
 * The sources of parameters of a request, the first of which overrides the others: JSON, a form, the query, and the
 * path, so that a JSON `id` overrides that of the path.
 *
 * @throws ContentError `rest_invalid_json`, or `rest_invalid_request` for too many values, regardless of the method
 */
export function sourcesOf(request: ContentRequest, inPath: ParameterTree): readonly ParameterTree[] {
  return [readJson(request.json), request.form, request.query, inPath];
}

/** The parameters of a request by name. `null` gives way to any other value. */
export function parametersOf(sources: readonly ParameterTree[]): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const source of sources.toReversed()) {
    for (const [name, value] of Object.entries(source)) {
      if (value !== null || !Object.hasOwn(given, name)) given[name] = value;
    }
  }
  return given;
}

/** Maximum depth of JSON, that of PHP's `json_decode`. */
const PHP_JSON_DEPTH = 512;

/** Maximum values of a JSON body: converting this many takes some 50 ms, in which no other request is answered. */
const MAX_VALUES = 100_000;
const TOO_MANY_VALUES = `The JSON body has more than ${MAX_VALUES} values; send fewer`;

function readJson(text: string | undefined): ParameterTree {
  if (text === undefined || text === '') return {};
  if (findTooDeep(text, PHP_JSON_DEPTH) !== null) throw invalidJson(1, 'Maximum stack depth exceeded');
  if (hasLoneSurrogate(text)) throw invalidJson(10, UNPAIRED_SURROGATE);
  if (hasMoreValues(text, MAX_VALUES)) throw new ContentError('rest_invalid_request', TOO_MANY_VALUES, 413);
  try {
    const value: unknown = JSON.parse(text, asPhpArray);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ParameterTree) : {};
  } catch {
    throw invalidJson(4, 'Syntax error');
  }
}

const UNPAIRED_SURROGATE = 'Single unpaired UTF-16 surrogate in unicode escape';

/** Error of PHP's `json_decode`, by its number. */
export function invalidJson(code: number, message: string): ContentError {
  return new ContentError('rest_invalid_json', 'Invalid JSON body passed.', 400, {
    json_error_code: code,
    json_error_message: message,
  });
}
