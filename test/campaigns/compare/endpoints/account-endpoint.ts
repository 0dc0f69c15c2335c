import { jsonOf, member } from '../answer.ts';
import { ACCOUNT_CALLERS } from '../callers.ts';
import type { Draft, Comparison } from '../comparison.ts';
import { BAD_BODIES, BAD_TEXTS, BAD_VALUES } from './bad-values.ts';

const BASE = '/api/v2';

/** As much of an OpenAPI document as requests are made from. */
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

interface Route extends Operation {
  readonly method: string;
  readonly path: string;
}

/** Keys by the beginning of the path that takes them: in sight of the owner, of nobody, and of another account. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '/device': ['{{van_device}}', '{{lorry_device}}', '{{pending_device}}', '{{removed_device}}', '{{van}}'],
  '/group': ['{{north}}', '{{harbour}}', '{{south}}', '{{closed}}', '{{van}}'],
  '/trip': ['{{van_trip}}', '{{lorry_trip}}', '{{open_trip}}', '{{van}}'],
};

/** Values of query parameters that are right. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  q: ['van', 'BOX', 'none'],
  size: ['1', '2', '200', '1000'],
  cursor: ['{{devices_cursor}}'],
  group_keys: ['{{north}}', '{{south}}&group_keys={{harbour}}', '{{closed}}'],
  show_inactive: ['true', 'false', '1'],
};

/** The account API: each route of its description × caller × parameters that are right, at an edge, or wrong. */
export async function accountEndpoint(comparison: Comparison, size: number): Promise<void> {
  const described = jsonOf(await comparison.ask({ path: `${BASE}/openapi.json`, isNeeded: true })) as Description;
  const routes = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(?:get|post|put|patch|delete)$/.test(method))
      .map(([method, operation]): Route => ({ ...operation, method: method.toUpperCase(), path })),
  );
  await comparison.ask({
    path: `${BASE}/devices?size=1`,
    as: 'owner',
    keep: { devices_cursor: member('cursor') },
    isNeeded: true,
  });
  const everyone = routes.flatMap((route) => pathsOf(route).map((path) => requestOf(route, path)));
  for (const draft of everyone)
    await comparison.ask({ ...draft, as: draft.path.endsWith('/ingest') ? 'device' : 'owner' });
  const good = everyone.flatMap((draft) => ACCOUNT_CALLERS.map((as): Draft => ({ ...draft, as })));
  const odd = routes.flatMap((route) => [
    ...oddQueries(route),
    ...oddBodies(route),
    ...oddKeys(route),
    ...oddHeaders(route),
  ]);
  const half = Math.floor(size / 2);
  for (const draft of comparison.random.sample(good, half)) await comparison.ask(draft);
  for (const draft of comparison.random.sample(odd, size - half)) await comparison.ask(draft);
}

function pathsOf({ path }: Route): string[] {
  const known = Object.entries(KEYS).find(([prefix]) => path.startsWith(`${prefix}/`));
  if (!path.includes('{')) return [BASE + path];
  return (known?.[1] ?? ['x']).map((key) => BASE + path.replace(/\{\w+\}/, () => key));
}

function requestOf(route: Route, path: string): Draft {
  const example = exampleOf(route);
  return { method: route.method, path, ...(example !== undefined && { json: example }) };
}

function exampleOf({ requestBody }: Route): unknown {
  return requestBody?.content['application/json']?.example;
}

function oddQueries(route: Route): Draft[] {
  const [path = ''] = pathsOf(route);
  const names = (route.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return ['nonsense', ...names].flatMap((name) => [
    ...[...(GOOD[name] ?? []), ...BAD_TEXTS.map(encodeURIComponent)].flatMap((value) =>
      ['owner', 'restricted_app'].map((as) => ({ ...requestOf(route, `${path}?${name}=${value}`), as })),
    ),
    { ...requestOf(route, `${path}?${name}`), as: 'owner' },
    { ...requestOf(route, `${path}?${name}=1&${name}=2`), as: 'owner' },
    { ...requestOf(route, `${path}?${name}[]=1`), as: 'owner' },
  ]);
}

function oddBodies(route: Route): Draft[] {
  const example = exampleOf(route);
  if (typeof example !== 'object' || example === null) return [];
  const [path = ''] = pathsOf(route);
  const { method } = route;
  const as = route.path === '/ingest' ? 'device' : 'owner';
  return [
    ...BAD_BODIES.map((bad) => ({ method, path, as, ...bad })),
    ...Object.keys(example).flatMap((name) =>
      BAD_VALUES.map((value) => ({ method, path, as, json: { ...example, [name]: value } })),
    ),
    { method, path, as, json: { ...example, unknown_member: 1 } },
    { method, path, as, json: {} },
  ];
}

function oddKeys(route: Route): Draft[] {
  if (!route.path.includes('{')) return [];
  return BAD_TEXTS.map((text) => ({
    ...requestOf(route, BASE + route.path.replace(/\{\w+\}/, () => encodeURIComponent(text))),
    as: 'owner',
  }));
}

function oddHeaders(route: Route): Draft[] {
  const [path = ''] = pathsOf(route);
  const draft = { ...requestOf(route, path), as: 'owner' };
  return [
    { ...draft, method: 'HEAD' },
    {
      ...draft,
      method: 'OPTIONS',
      as: 'visitor',
      headers: { origin: 'https://www.example.com', 'access-control-request-method': route.method },
    },
    { ...draft, method: 'PATCH' },
    { ...draft, headers: { origin: 'https://www.example.com' } },
    { ...draft, headers: { 'service-api-key': ['one', 'two'] } },
    { ...draft, as: 'visitor', headers: { authorization: 'Bearer' } },
    { ...draft, as: 'visitor', headers: { authorization: 'Basic b3duZXI6eA==' } },
    { ...draft, as: 'visitor', headers: { authorization: 'bearer {{app_access_token}}' } },
    { ...draft, headers: { 'accept-encoding': 'gzip' } },
    { ...draft, path: `${path}/` },
    { ...draft, path: path.toUpperCase() },
  ];
}
