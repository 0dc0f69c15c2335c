import { isDeepStrictEqual } from 'node:util';

import type { KnownValues } from './known-values.ts';

/** Facts that a rule may use. */
export interface NormalisedContext {
  readonly known: KnownValues;
  /** When the two services started, in milliseconds: times before it are data, and compared to the letter. */
  readonly started: number;
}

/** A rule for values that differ between two services that behave alike. */
export interface NormalisedValue {
  readonly name: string;
  readonly reason: string;
  /** The values in any text of an answer. */
  readonly pattern: RegExp;
  /** Returns true if two values mean the same. */
  readonly isSame: (left: string, right: string, context: NormalisedContext) => boolean;
}

/** A rule for a whole part of an answer. */
export interface NormalisedPart {
  readonly name: string;
  readonly reason: string;
  /** Parts that it is for, such as `header date`. */
  readonly part: RegExp;
  /** Requests that it is for, such as `GET /metrics`; all unless given. */
  readonly request?: RegExp;
  /** Replaces the text before it is compared. */
  readonly normalise: (text: string) => string;
}

/** Seconds by which the clocks of two answers in step may be apart. */
const STEP_SECONDS = 60;
/** The furthest time zone, in milliseconds: a local time without a zone may lie this far from the moment it means. */
const FURTHEST_ZONE_MS = 15 * 3_600_000;
/** Before a value: nothing that belongs to it. A percent-encoded character ends in letters that do not. */
const BEFORE = '(?<=^|[^\\w%-]|%[0-9A-Fa-f]{2})';
/** Prefixes that may stand directly before 256 random bits. */
const PREFIX = 'wb_[a-z]+_|__Host-waybridge_flow_';
const AFTER = '(?![\\w-])';

/** Values that may differ inside texts, first match first. Everything else is compared to the letter. */
export const NORMALISED_VALUES: readonly NormalisedValue[] = [
  {
    name: 'signed token',
    reason:
      'ECDSA signs with a random number, and the claims hold times and a new id; header and all other claims are compared',
    pattern: /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/,
    isSame: isSameToken,
  },
  {
    name: 'nonce',
    reason: 'random for each page; its attributes must be those of its header, on either side',
    pattern: /(?<='nonce-)[\w-]{22}/,
    isSame: isPair,
  },
  {
    name: 'UUID',
    reason: 'application passwords and requests get a random UUID; a new one is paired with that of the other side',
    pattern: whole('[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'),
    isSame: isPair,
  },
  {
    name: 'time',
    reason:
      'the two sides act at moments apart; times since the start are compared to the minute, earlier ones to the letter',
    pattern: /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/,
    isSame: isSameTime,
  },
  {
    name: 'HTTP date',
    reason: 'as time, in the form of RFC 9110 or RFC 822',
    pattern: /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|[+-]\d{4})/,
    isSame: isSameTime,
  },
  {
    name: 'application password',
    reason: '24 random letters and digits; a new one is paired with that of the other side',
    pattern: whole('[A-Za-z0-9]{24}'),
    isSame: isPair,
  },
  {
    name: 'secret',
    reason:
      '256 random bits: secrets of this service, codes, tokens and cookies of the OAuth library; a prefix is compared, and a new one is paired with that of the other side',
    pattern: whole(`(?:${PREFIX})?[\\w-]{43}`),
    isSame: isSameSecret,
  },
  {
    name: 'key',
    reason:
      'keys of records, nonces and form tokens are 128 random bits; a new one is paired with that of the other side',
    pattern: whole('[\\w-]{21}[AQgw]'),
    isSame: isPair,
  },
  {
    name: 'Unix time',
    reason: 'as time, in seconds or milliseconds',
    pattern: whole('[12]\\d{9}(?:\\d{3})?'),
    isSame: isSameUnixTime,
  },
];

/** Parts that are compared in another form than they came in. */
export const NORMALISED_PARTS: readonly NormalisedPart[] = [
  {
    name: 'Date',
    reason: 'the moment of the answer; that it is there is compared',
    part: /^header date$/,
    normalise: () => 'a date',
  },
  {
    name: 'X-Request-Id',
    reason: 'random for each request; its form is compared',
    part: /^header x-request-id$/,
    normalise: (text) => text.replaceAll(/[0-9a-f]/g, 'x'),
  },
  {
    name: 'ETag',
    reason:
      'a digest of bytes that may hold new keys and times; the bytes are compared, and that it is a strong or a weak tag',
    part: /^header etag$/,
    normalise: (text) => text.replaceAll(/[\w+/=-]{20,}/g, 'a digest'),
  },
  {
    name: 'rate limits',
    reason: 'what is left depends on where the window of a minute stands; policies and their form are compared',
    part: /^header (?:ratelimit|retry-after)$/,
    normalise: (text) => text.replaceAll(/\b(r|t)=\d+/g, '$1=n'),
  },
  {
    name: 'metrics',
    reason:
      'values are measured, and some series appear once something was measured; names, types and helps are compared',
    part: /^(?:body|header content-length)$/,
    request: /^(?:GET|HEAD) \/metrics/,
    normalise: (text) => text.replaceAll(/^[^#].*\n?/gm, ''),
  },
  {
    name: 'folder',
    reason: 'each side works in a folder of its own, which commands and starts name',
    part: /^(?:stdout|stderr|text)$/,
    normalise: (text) => text.replaceAll(/\/[^\s"']*\/compared-side-\d/g, '(folder)'),
  },
  {
    name: 'component',
    reason: 'a bundler names things anew when files move; status, headers and that there is a file are compared',
    part: /^(?:body|header content-length)$/,
    request: /^\w+ \/service-web-components\.umd\.js/,
    normalise: (text) => (text === '' ? 'nothing' : 'something'),
  },
];

function whole(pattern: string): RegExp {
  return new RegExp(BEFORE + pattern + AFTER);
}

function isPair(left: string, right: string, { known }: NormalisedContext): boolean {
  return left.length === right.length && known.isPair(left, right);
}

function isSameSecret(left: string, right: string, context: NormalisedContext): boolean {
  const [theirs, ours] = [left, right].map((text) => text.slice(0, -43));
  return theirs === ours && isPair(left.slice(-43), right.slice(-43), context);
}

function isSameTime(left: string, right: string, { started }: NormalisedContext): boolean {
  if (left === right) return true;
  const form = (text: string) => text.replaceAll(/\d/g, '0').replaceAll(/[A-Za-z]{3}/g, 'Mon');
  return form(left) === form(right) && isSameMoment(millisecondsOf(left), millisecondsOf(right), started);
}

function isSameUnixTime(left: string, right: string, { started }: NormalisedContext): boolean {
  if (left === right) return true;
  const scale = left.length > 10 ? 1 : 1000;
  return left.length === right.length && isSameMoment(Number(left) * scale, Number(right) * scale, started);
}

function isSameMoment(left: number, right: number, started: number): boolean {
  return Math.abs(left - right) <= STEP_SECONDS * 1000 && Math.min(left, right) >= started - FURTHEST_ZONE_MS;
}

function millisecondsOf(text: string): number {
  return Date.parse(/(?:Z|GMT|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
}

function isSameToken(left: string, right: string, context: NormalisedContext): boolean {
  const [theirHeader, theirClaims] = partsOfToken(left);
  const [ourHeader, ourClaims] = partsOfToken(right);
  const names = Object.keys(theirClaims);
  if (!isDeepStrictEqual(theirHeader, ourHeader) || !isDeepStrictEqual(names, Object.keys(ourClaims))) return false;
  return names.every((name) => {
    const [their, our] = [theirClaims[name], ourClaims[name]];
    if (isDeepStrictEqual(their, our)) return true;
    return name === 'jti'
      ? isPair(String(their), String(our), context)
      : isSameUnixTime(String(their), String(our), context);
  });
}

/** Header and claims of a signed token. */
function partsOfToken(token: string): readonly [unknown, Readonly<Record<string, unknown>>] {
  const [header = '', claims = ''] = token.split('.');
  return [decoded(header), decoded(claims) as Readonly<Record<string, unknown>>];
}

function decoded(base64url: string): unknown {
  return JSON.parse(Buffer.from(base64url, 'base64url').toString());
}
