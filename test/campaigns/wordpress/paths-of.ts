import { PLACEHOLDER } from './endpoint.ts';
import { idsOf, type SeededList, type SeededSite } from './seeded-site.ts';

/** Names of the registry, and some that it does not have. */
const REGISTERED: Readonly<Record<string, readonly string[]>> = {
  type: ['post', 'page', 'attachment', 'missing', 'revision'],
  status: ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'inherit', 'missing', 'auto-draft'],
  taxonomy: ['category', 'post_tag', 'missing', 'post_format'],
};

/** Ids that no object has, or one of another kind. */
const ODD_IDS = [0, 999, 1, 11, 4];

/** Every path of a route: with the ids of all objects of a site, and some that none has. */
export function pathsOf(site: SeededSite, route: string): string[] {
  const [first] = [...route.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  if (first === undefined) return [route];
  const list = /^\/wp\/v2\/(\w+)/.exec(route)?.[1] as SeededList;
  if (first === 'parent') return pathsOfRevisions(site, route, list);
  const values = first === 'id' ? [...new Set([...idsOf(site, list), ...ODD_IDS])] : (REGISTERED[first] ?? ['missing']);
  return values.map((value) => route.replace(PLACEHOLDER, String(value)));
}

function pathsOfRevisions(site: SeededSite, route: string, list: SeededList): string[] {
  const pairs = site.revisions.map(({ id, parent }) => [parent, id] as const);
  const others = [...idsOf(site, list), 999].map((parent) => [parent, site.revisions[0]?.id ?? 1] as const);
  const paths = [...pairs, ...pairs, ...pairs, ...others].map(([parent, id]) => {
    const values = [parent, id];
    return route.replace(PLACEHOLDER, () => String(values.shift()));
  });
  return paths;
}
