import type { LinksOf } from './content-links.ts';

/** The links of a category. */
export const categoryLinks: LinksOf = termLinks('/wp/v2/categories', 'category', 'categories');

/** The links of a tag. */
export const tagLinks: LinksOf = termLinks('/wp/v2/tags', 'post_tag', 'tags');

function termLinks(path: string, taxonomy: string, field: string): LinksOf {
  return ({ id, parent }, href) => ({
    self: [{ href: href(`${path}/${id}`) }],
    collection: [{ href: href(path) }],
    about: [{ href: href(`/wp/v2/taxonomies/${taxonomy}`) }],
    ...(typeof parent === 'number' && parent > 0
      ? { up: [{ embeddable: true, href: href(`${path}/${parent}`) }] }
      : {}),
    'wp:post_type': [{ href: href(`/wp/v2/posts?${field}=${id}`) }],
  });
}
