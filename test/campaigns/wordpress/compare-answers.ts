import { isVolatileTime, maskText } from './mask.ts';
import type { SiteAnswer } from './site-client.ts';

/** Extent to which two answers agree: 1 status and code, 2 also headers, ids and messages, 3 the whole body. */
export type Level = 1 | 2 | 3;

/** A place where two answers differ. */
export interface Difference {
  /** The level that it breaks. */
  readonly level: Level;
  /** The kind of difference, the same for all objects of a list: `status 200, here 400`, `header allow`, `$[].title`. */
  readonly kind: string;
  readonly theirs: string;
  readonly ours: string;
}

/** Headers that count, with what of them is compared. */
const HEADERS: readonly (readonly [string, (value: string) => string])[] = [
  ['x-wp-total', String],
  ['x-wp-totalpages', String],
  ['allow', (value) => value.split(/,\s*/).filter(Boolean).sort().join(', ')],
  ['location', maskText],
  ['link', linksOf],
  ['www-authenticate', String],
  ['content-type', (value) => value.split(';')[0] ?? ''],
];

/** At most so many places of a body are named: more than two indexes of the interface have. */
const MAX_PLACES = 10_000;

/** Finds where two answers to one request differ. */
export function compareAnswers(theirs: SiteAnswer, ours: SiteAnswer): Difference[] {
  const [their, our] = [parsed(theirs.body), parsed(ours.body)];
  const [theirCode, ourCode] = [errorCode(theirs, their), errorCode(ours, our)];
  if (theirs.status !== ours.status) {
    const said = [`${theirs.status} ${theirCode}`.trim(), `${ours.status} ${ourCode}`.trim()] as const;
    return [difference(1, `status ${said[0]}, here ${said[1]}`, theirs.body, ours.body)];
  }
  if (theirCode !== ourCode) {
    return [difference(1, `code ${theirCode}, here ${ourCode}`, theirs.body, ours.body)];
  }
  const headers = HEADERS.flatMap(([name, read]) => {
    const [left, right] = [read(theirs.headers[name] ?? ''), read(ours.headers[name] ?? '')];
    return left === right ? [] : [difference(2, `header ${name}`, left, right)];
  });
  if (their === undefined || our === undefined) {
    const isSame = maskText(theirs.body) === maskText(ours.body);
    return isSame ? headers : [...headers, difference(3, 'body', theirs.body, ours.body)];
  }
  const places: Difference[] = [];
  compareValues(their, our, '$', theirCode === '' ? 3 : 2, places);
  return [...headers, ...places];
}

/** Adds the places below a path where two JSON values differ. */
function compareValues(theirs: unknown, ours: unknown, path: string, level: Level, found: Difference[]): void {
  if (found.length >= MAX_PLACES || isSameScalar(theirs, ours)) return;
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    const ids = [theirs, ours].map((list) => JSON.stringify(list.map((one) => one?.id)));
    const isReordered = theirs.length === ours.length && sorted(theirs) === sorted(ours);
    const kind = `${path}[] ${isReordered ? 'order' : 'members'}`;
    if (ids[0] !== ids[1]) found.push(difference(path === '$' ? 2 : level, kind, ids[0], ids[1]));
    else for (const [at, member] of theirs.entries()) compareValues(member, ours[at], `${path}[]`, level, found);
  } else if (isObject(theirs) && isObject(ours)) {
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      const at = `${path}.${/^\d+$/.test(name) ? '#' : name}`;
      if (!(name in ours)) found.push(difference(level, `${at} missing`, theirs[name], undefined));
      else if (!(name in theirs)) found.push(difference(level, `${at} added`, undefined, ours[name]));
      else compareValues(theirs[name], ours[name], at, level, found);
    }
  } else found.push(difference(level, path, theirs, ours));
}

function isSameScalar(theirs: unknown, ours: unknown): boolean {
  if (typeof theirs !== 'string' || typeof ours !== 'string') return Object.is(theirs, ours);
  return maskText(theirs) === maskText(ours) || (isVolatileTime(theirs) && isVolatileTime(ours));
}

/** Ids of a list, whatever their order. */
function sorted(list: readonly { readonly id?: unknown }[]): string {
  return JSON.stringify(list.map((one) => Number(one?.id)).toSorted((a, b) => a - b));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function difference(level: Level, kind: string, theirs: unknown, ours: unknown): Difference {
  return { level, kind, theirs: brief(theirs), ours: brief(ours) };
}

function brief(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)) ?? '(absent)';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** JSON as the argument of a function. */
const JSONP = /^\/\*\*\/[\w.]+\((.*)\)$/s;

function parsed(text: string): unknown {
  try {
    return JSON.parse(JSONP.exec(text)?.[1] ?? text);
  } catch {
    return undefined;
  }
}

/** The code of an error; empty where it is none. */
function errorCode({ status }: SiteAnswer, body: unknown): string {
  return status >= 400 && isObject(body) && typeof body.code === 'string' ? body.code : '';
}

function linksOf(value: string): string {
  const links = value.split(/,\s*(?=<)/).map((link) => maskText(link.trim()));
  return links.filter(Boolean).sort().join(', ');
}
