import type { LinksOf } from './content-links.ts';

/** The links of a user. */
export const userLinks: LinksOf = ({ id }, href) => ({
  self: [{ href: href(`/wp/v2/users/${id}`) }],
  collection: [{ href: href('/wp/v2/users') }],
});
