import { decodeEscapes } from '../../http/requests/utf8.ts';
import { ContentError } from '../schema/content-error.ts';

/** A parameter as PHP reads it: a text, a list, or named members. JSON bodies add numbers, Booleans and null. */
export type ParameterTree = { readonly [name: string]: unknown };

/** Maximum number of parameters that are read of a request, PHP's `max_input_vars`. */
const MAX_PARAMETERS = 1000;

/** Maximum depth of names, PHP's `max_input_nesting_level`; parameters below it are not read. */
const MAX_DEPTH = 64;

type Node = Map<string, string | Node>;

/**
 * Reads a query or form as PHP does, which clients of the reference rely on: `a[]=1&a[]=2` is a list, `a[b]=1` has a
 * member `b`, the last of two equal names wins, and dots and spaces in names become underscores.
 */
export function parsePhpQuery(text: string): ParameterTree {
  return phpTree(pairsIn(text).map(readPair));
}

/** The pairs of a query, up to the maximum. */
function pairsIn(text: string): string[] {
  const pairs: string[] = [];
  for (let start = 0; start < text.length && pairs.length < MAX_PARAMETERS; ) {
    const end = text.indexOf('&', start);
    const pair = text.slice(start, end < 0 ? text.length : end);
    if (pair !== '') pairs.push(pair);
    start = end < 0 ? text.length : end + 1;
  }
  return pairs;
}

/** Puts names and values together in the same way; for the fields of a multipart form. */
export function phpTree(pairs: readonly (readonly [name: string, value: string])[]): ParameterTree {
  const root: Node = new Map();
  for (const [name, value] of pairs.slice(0, MAX_PARAMETERS)) put(root, name, value);
  return membersOf(root);
}

function put(root: Node, name: string, value: string): void {
  const [, first = '', rest = ''] = /^ *([^[]*)((?:\[[^\]]*\])*)/s.exec(name) ?? [];
  if (first === '') return;
  const keys = [first.replace(/[. ]/g, '_'), ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key)];
  if (keys.length > MAX_DEPTH) return;
  const last = keys.pop() ?? '';
  let node = root;
  for (const key of keys) {
    const name = key === '' ? String(node.size) : key;
    const below = node.get(name);
    const next: Node = below instanceof Map ? below : new Map();
    node.set(name, next);
    node = next;
  }
  node.set(last === '' ? String(node.size) : last, value);
}

function partOf(node: string | Node): unknown {
  if (typeof node === 'string') return node;
  return [...node.keys()].every((key) => /^(?:0|[1-9]\d*)$/.test(key))
    ? [...node.values()].map(partOf)
    : membersOf(node);
}

function membersOf(node: Node): ParameterTree {
  const tree = Object.create(PHP_ARRAY) as Record<string, unknown>;
  for (const [name, value] of node) tree[name] = partOf(value);
  return tree;
}

/** @throws ContentError `rest_invalid_param` if the escapes of a pair are not UTF-8 */
function readPair(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  const name = at < 0 ? pair : pair.slice(0, at);
  try {
    return [decode(name), at < 0 ? '' : decode(pair.slice(at + 1))];
  } catch {
    throw notUtf8(name);
  }
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeEscapes(spaced);
  }
}

/** Error for a parameter of a query or form whose bytes are not UTF-8. */
export function notUtf8(name: string): ContentError {
  const params = { [name]: `${name} is not valid UTF-8.` };
  return new ContentError('rest_invalid_param', `Invalid parameter(s): ${name}`, 400, { params });
}

/** Writes parameters as `http_build_query` does: lists by number, members by name; an absent value has no `=`. */
export function writePhpQuery(tree: ParameterTree): string {
  return Object.entries(tree)
    .flatMap(([name, value]) => pairsOf(name, value))
    .map(([name, value]) => (value === '' ? encode(name) : `${encode(name)}=${encode(value)}`))
    .join('&');
}

function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined || value === false) return [];
  if (Array.isArray(value)) return value.flatMap((member: unknown, at) => pairsOf(`${name}[${at}]`, member));
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, member]) => pairsOf(`${name}[${key}]`, member));
  }
  return [[name, value === true ? '1' : String(value)]];
}

/** PHP's `urlencode`. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/**
 * Prototype of what clients send as named members: it has no names of its own, and as text it is PHP's word for any
 * array. Without it, members named `toString` could make a conversion throw, and members without any prototype always do.
 */
const PHP_ARRAY: object = Object.freeze(
  Object.create(null, { [Symbol.toPrimitive]: { value: (hint: string) => (hint === 'number' ? 1 : 'Array') } }),
);

/**
 * A value of JSON, as `JSON.parse` hands it to a reviver: objects get the prototype {@link PHP_ARRAY}, and one without members
 * is an empty list.
 */
export function asPhpArray(_name: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && Object.keys(value).length === 0) return [];
  return isObject ? (Object.setPrototypeOf(value, PHP_ARRAY) as object) : value;
}
