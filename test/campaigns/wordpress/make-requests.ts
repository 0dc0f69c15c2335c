import type { Random } from '../compare/random.ts';
import type { DescribedParameter, Endpoint } from './endpoint.ts';
import type { GeneratedRequest } from './generated-request.ts';
import { pathsOf } from './paths-of.ts';
import { phpForm } from './php-form.ts';
import type { SeededSite } from './seeded-site.ts';
import { goodValue, valuesOf } from './values-of.ts';

/** A value of a parameter that a request tries, or the request without one. */
interface Trial {
  readonly endpoint: Endpoint;
  readonly name: string | null;
  readonly value: unknown;
  /** True where several parameters are given good values instead. */
  readonly isCombined?: true;
}

/** Combinations of good values that a pass tries at each endpoint. */
const COMBINATIONS = 60;

/** Parameters that every endpoint takes, with values worth trying. */
const COMMON: Readonly<Record<string, readonly unknown[]>> = {
  _fields: [
    'id',
    'id,title',
    'id,title.rendered',
    '_links',
    'missing',
    '',
    ['id', 'slug'],
    'id,_links.self',
    'content.protected,slug',
    ' id , slug ',
  ],
  _envelope: ['1', '', 'true', '0'],
  _embed: ['1', '', 'author', 'replies', 'wp:term', 'author,wp:featuredmedia', 'up', '0', 'missing', ['author']],
  _jsonp: ['callback', 'a.b', 'bad-name', ''],
  _method: ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'NOPE'],
  context: ['view', 'embed', 'edit', 'help', ''],
  unknown_parameter: ['1'],
};

/** Bodies that are no parameters. */
const ODD_BODIES = ['{', '[]', 'null', '1', '""', '{"id":', '{"a":1}{', ''];

/**
 * Requests without end, the same for the same seed: passes over every value of every parameter of every endpoint, each
 * in an order of its pass, by a user and for an object that are drawn.
 */
export function* makeRequests(
  site: SeededSite,
  endpoints: readonly Endpoint[],
  random: Random,
): Generator<GeneratedRequest, never> {
  const trials = endpoints.flatMap((endpoint) => trialsOf(site, endpoint));
  for (;;) for (const trial of shuffled(trials, random)) yield requestOf(site, trial, random);
}

function trialsOf(site: SeededSite, endpoint: Endpoint): Trial[] {
  const trials = Object.entries(endpoint.parameters).flatMap(([name, parameter]) =>
    valuesOf(site, endpoint.route, name, parameter).map((value) => ({ endpoint, name, value })),
  );
  const plain = pathsOf(site, endpoint.route).map(() => ({ endpoint, name: null, value: null }));
  const combined = Array.from({ length: COMBINATIONS }, () => {
    return { endpoint, name: null, value: null, isCombined: true } as const;
  });
  const common = Object.entries(COMMON).flatMap(([name, values]) => values.map((value) => ({ endpoint, name, value })));
  const others = ['OPTIONS', 'HEAD'].map((method) => {
    const methods = [method] as const;
    return { endpoint: { ...endpoint, methods }, name: null, value: null };
  });
  return [...trials, ...plain, ...combined, ...common, ...(endpoint.methods[0] === 'GET' ? others : [])];
}

function requestOf(site: SeededSite, { endpoint, name, value, isCombined }: Trial, random: Random): GeneratedRequest {
  const { route, methods } = endpoint;
  const [usual] = methods;
  const method = random.next() < 0.85 ? usual : random.one(methods);
  const [first = route, ...paths] = pathsOf(site, route);
  const parameters: Record<string, unknown> = {};
  for (const other of companionsOf(endpoint, isCombined ?? false, random)) {
    parameters[other] = goodValue(random, site, route, other, endpoint.parameters[other] ?? {});
  }
  if (name !== null) parameters[name] = value;
  const about = Object.entries(parameters).map(([key, one]) => `${key}=${brief(one)}`);
  return {
    method,
    endpoint: `${usual} ${route}`,
    route,
    login: loginOf(site, method, random),
    about: about.join(' '),
    ...written(method, `/wp-json${random.one([first, ...paths])}`, parameters, random),
  };
}

/** Parameters that go with the one that is tried: those without which nothing happens, and now and then others. */
function companionsOf({ parameters, methods: [method] }: Endpoint, isCombined: boolean, random: Random): string[] {
  const names = Object.keys(parameters).filter((name) => name !== 'id' && name !== 'parent');
  const required = names.filter((name) => isNeeded(method, name, parameters[name]) && random.next() < 0.9);
  const usual = random.next() < 0.6 ? 0 : 1 + Math.floor(random.next() * 2);
  return [...required, ...random.sample(names, isCombined ? 2 + Math.floor(random.next() * 4) : usual)];
}

function isNeeded(method: string, name: string, parameter?: DescribedParameter): boolean {
  if (parameter?.required === true) return true;
  if (method === 'POST') return name === 'title' || name === 'content' || name === 'post';
  return method === 'DELETE' && (name === 'force' || name === 'reassign');
}

/** Users who may do something come up more often where something is done. */
function loginOf({ credentials }: SeededSite, method: string, random: Random): string | null {
  const logins = credentials.map(({ login }) => login);
  if (method === 'GET') return random.one([null, null, ...logins]);
  return random.one([null, ...logins, ...logins.slice(0, 3), ...logins.slice(0, 2)]);
}

/** Puts parameters into the query, a form or JSON. */
function written(method: string, path: string, parameters: Readonly<Record<string, unknown>>, random: Random) {
  const inQuery = { path: Object.keys(parameters).length > 0 ? `${path}?${phpForm(parameters)}` : path, body: null };
  const drawn = random.next();
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') {
    if (drawn < 0.01) return { path, body: { type: 'application/json', text: random.one(['{', ...ODD_BODIES]) } };
    return drawn < 0.05 ? { path, body: { type: 'application/json', text: JSON.stringify(parameters) } } : inQuery;
  }
  if (drawn < 0.12) return inQuery;
  if (drawn < 0.3) return { path, body: { type: 'application/x-www-form-urlencoded', text: phpForm(parameters) } };
  if (drawn < 0.32) return { path, body: { type: 'application/json', text: random.one(['{', ...ODD_BODIES]) } };
  return { path, body: { type: 'application/json', text: JSON.stringify(parameters) } };
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  return all
    .map((value) => ({ value, rank: random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
