import {
  type GraphQLArgument,
  type GraphQLInputType,
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

import { jsonTextOf } from '../http/requests/json-body.ts';
import { formParameters, textOf } from '../http/requests/utf8.ts';
import { DateTime } from '../schema/date-time-scalars.ts';
import { ServiceError } from '../schema/service-error.ts';

import type { RestRequest } from './rest-request.ts';
import type { RestRoute } from './rest-table.ts';

/** Names of types whose values are sent as text; a merged schema has its own object for each. */
const TEXTS: ReadonlySet<string> = new Set([GraphQLString.name, GraphQLID.name, DateTime.name]);

/** Arguments of a root field by name. */
export type Arguments = Record<string, unknown>;

/**
 * Reads an argument from the URL, where every value is text: Booleans are `true`, `false`, `1` or `0`; lists as {@link readAll}
 * reads them.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export function readFromUrl(argument: GraphQLArgument, search: URLSearchParams): unknown {
  const type = isNonNullType(argument.type) ? argument.type.ofType : argument.type;
  if (isListType(type)) {
    const all = readAll(argument.name, search);
    return all.length > 0 ? all.map((text) => readText(argument.name, type.ofType, text)) : undefined;
  }
  const text = readOnce(argument.name, search);
  if (text !== undefined) return readText(argument.name, type, text);
  if (isRequiredArgument(argument)) throw new ServiceError('BAD_REQUEST', `${argument.name} is required`);
  return undefined;
}

/**
 * Reads an argument from a segment of the path.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export function readFromPath({ name, type }: GraphQLArgument, segment = ''): unknown {
  const definite = isNonNullType(type) ? type.ofType : type;
  if (!isListType(definite)) return readText(name, definite, segment);
  return segment.split(',').map((text) => readText(name, definite.ofType, text));
}

/**
 * The values of a list: its parameter, repeated or separated by commas, as `name`, `name[]` or `name[0]`. No key and no word has
 * a comma.
 *
 * @throws ServiceError BAD_REQUEST for other brackets behind the name
 */
function readAll(name: string, search: URLSearchParams): string[] {
  const given = [...search].filter(([key]) => key === name || key.startsWith(`${name}[`));
  if (given.some(([key]) => !/^(?:\[\d*\])?$/.test(key.slice(name.length)))) {
    throw wrongType(name, `a list: ${name}=a&${name}=b`);
  }
  return given.flatMap(([, text]) => text.split(','));
}

function readText(name: string, given: GraphQLInputType, text: string): unknown {
  const type = isNonNullType(given) ? given.ofType : given;
  if (type === GraphQLBoolean) {
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
    throw new ServiceError('BAD_REQUEST', `${name} must be true, false, 1 or 0`);
  }
  if (type === GraphQLInt && /^-?[0-9]{1,10}$/.test(text) && Math.abs(Number(text)) < 2 ** 31) return Number(text);
  if (type === GraphQLFloat && /^-?[0-9]{1,9}(\.[0-9]*)?$/.test(text)) return Number(text);
  if (type === GraphQLInt || type === GraphQLFloat)
    throw wrongType(name, type === GraphQLInt ? 'an integer' : 'a number');
  return checkWord(name, type, text);
}

/** @throws ServiceError BAD_REQUEST if the type is a closed list that does not have the word */
function checkWord(name: string, type: GraphQLInputType, word: unknown): unknown {
  if (!isEnumType(type) || (typeof word === 'string' && type.getValue(word))) return word;
  const words = type.getValues().map((value) => value.name);
  throw wrongType(name, `one of ${words.join(', ')}`);
}

/**
 * Reads the requested relations of a record: `expand`, a list.
 * @throws ServiceError BAD_REQUEST for a name that the row does not have
 */
export function readExpand(
  { expand = {}, expandsAll }: Pick<RestRoute, 'expand' | 'expandsAll'>,
  search: URLSearchParams,
): readonly string[] {
  const names = Object.keys(expand);
  if (names.length === 0) return [];
  const given = readAll('expand', search);
  if (given.length === 0) return expandsAll ? names : [];
  const wanted = given.filter((name) => name !== '');
  if (wanted.some((name) => !names.includes(name))) throw wrongType('expand', `one or more of ${names.join(', ')}`);
  return names.filter((name) => wanted.includes(name));
}

/** The argument from `Prefer: wait=20`; a preference that is too long, or not a number of seconds, is not an error. */
export function readWait({ wait }: Pick<RestRoute, 'wait'>, prefer = ''): Record<string, number> {
  if (wait === undefined) return {};
  const [, seconds] = /(?:^|[,\s])wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer) ?? [];
  return seconds === undefined ? {} : { [wait.argument]: Math.min(Number(seconds), wait.max) };
}

/**
 * The value of a parameter, undefined if absent.
 *
 * @throws ServiceError BAD_REQUEST naming it if it is repeated
 */
function readOnce(name: string, search: URLSearchParams): string | undefined {
  const values = search.getAll(name);
  if (values.length > 1) throw new ServiceError('BAD_REQUEST', `${name} must be given once`);
  return values[0];
}

/** Maximum number of objects in one REST answer; the cursor leads to more. Decisions: "Keys, pages, values". */
export const MAX_REST_PAGE = 200;

/**
 * Reads `size` and `cursor` as the arguments of a connection.
 *
 * @param fallback the size if none is given; that of the connection by default
 * @throws ServiceError BAD_REQUEST if `size` is not a whole number of 1 or more, or either is repeated
 */
export function readPage(search: URLSearchParams, fallback: number | undefined): Arguments {
  const args: Arguments = fallback === undefined ? {} : { first: fallback };
  const size = readOnce('size', search);
  if (size !== undefined) {
    if (!/^[1-9][0-9]*$/.test(size)) throw new ServiceError('BAD_REQUEST', 'size must be a whole number of 1 or more');
    args.first = Math.min(Number(size), MAX_REST_PAGE);
  }
  const cursor = readOnce('cursor', search);
  if (cursor !== undefined) args.after = cursor;
  return args;
}

/**
 * Reads an argument from a JSON value as it was sent: nothing is converted, unknown members of objects are omitted,
 * and `null` stays `null` if the argument may be.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter as `name`
 */
export function readFromJson(name: string, type: GraphQLInputType, value: unknown): unknown {
  if (isNonNullType(type)) {
    if (value === undefined || value === null) throw new ServiceError('BAD_REQUEST', `${name} is required`);
    return readFromJson(name, type.ofType, value);
  }
  if (value === undefined || value === null) return value;
  if (isListType(type)) {
    if (!Array.isArray(value)) throw wrongType(name, 'a list');
    return value.map((member: unknown, at) => readFromJson(`${name}[${at}]`, type.ofType, member));
  }
  if (isInputObjectType(type)) {
    if (typeof value !== 'object' || Array.isArray(value)) throw wrongType(name, 'an object');
    const read: Arguments = {};
    for (const field of Object.values(type.getFields())) {
      if (!Object.hasOwn(value, field.name) && !isRequiredInputField(field)) continue;
      read[field.name] = readFromJson(field.name, field.type, (value as Arguments)[field.name]);
    }
    return read;
  }
  if (TEXTS.has(type.name) && typeof value !== 'string') throw wrongType(name, 'a string');
  if (type === GraphQLBoolean && typeof value !== 'boolean') throw wrongType(name, 'true or false');
  if (type === GraphQLInt && !(Number.isInteger(value) && Math.abs(value as number) < 2 ** 31)) {
    throw wrongType(name, 'an integer');
  }
  if (type === GraphQLFloat && typeof value !== 'number') throw wrongType(name, 'a number');
  return checkWord(name, type, value);
}

/**
 * Reads a JSON body.
 *
 * @throws ServiceError BAD_REQUEST if its type is not JSON, as {@link jsonTextOf}, if it cannot be parsed, or is no object
 */
export function readBody({ contentType, body: bytes }: Pick<RestRequest, 'contentType' | 'body'>): Arguments {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new ServiceError('BAD_REQUEST', 'Content-Type must be application/json');
  }
  const text = jsonTextOf(bytes, contentType);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ServiceError('BAD_REQUEST', 'The body must be valid JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ServiceError('BAD_REQUEST', 'The body must be a JSON object');
  }
  return body as Arguments;
}

type Message = Pick<RestRequest, 'search' | 'contentType' | 'body'>;

/**
 * Reads a message of an app, regardless of its content type: a JSON object, or else the parameters of the address and of a
 * form, as text; of one that is repeated, the last.
 *
 * @throws ServiceError BAD_REQUEST as {@link readBody}
 */
export function readMessage({ search, contentType, body }: Message): Arguments {
  const text = textOf(body, contentType);
  if (isJson(text)) return readBody({ contentType: 'application/json', body });
  return Object.fromEntries([...search, ...formParameters(text)]);
}

/**
 * The values of some members of a message; of a parameter that is repeated, all.
 *
 * @throws ServiceError BAD_REQUEST if the message is not UTF-8
 */
export function membersOf(names: readonly string[], { search, body }: Omit<Message, 'contentType'>): string[] {
  const text = textOf(body);
  if (!isJson(text)) {
    return [...search, ...formParameters(text)].filter(([name]) => names.includes(name)).map(([, value]) => value);
  }
  try {
    const message = readBody({ contentType: 'application/json', body });
    const inBody = names.map((name) => message[name]).filter((value) => typeof value === 'string');
    return [...names.flatMap((name) => search.getAll(name)), ...inBody];
  } catch {
    return [];
  }
}

function isJson(text: string): boolean {
  return text.trimStart().startsWith('{');
}

function wrongType(name: string, expected: string): ServiceError {
  return new ServiceError('BAD_REQUEST', `${name} must be ${expected}`);
}
