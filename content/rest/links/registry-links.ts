import type { LinksOf } from './content-links.ts';

/** The links of a type of content. */
export const typeLinks: LinksOf = ({ rest_base }, href) => ({
  collection: [{ href: href('/wp/v2/types') }],
  'wp:items': [{ href: href(`/wp/v2/${rest_base}`) }],
});

/** The links of a status: to the posts that have it. */
export const statusLinks: LinksOf = ({ slug }, href) => ({
  archives: [{ href: href(slug === 'publish' ? '/wp/v2/posts' : `/wp/v2/posts?status=${slug}`) }],
});

/** The links of a taxonomy. */
export const taxonomyLinks: LinksOf = ({ rest_base }, href) => ({
  collection: [{ href: href('/wp/v2/taxonomies') }],
  'wp:items': [{ href: href(`/wp/v2/${rest_base}`) }],
});
