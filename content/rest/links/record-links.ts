import { CONTENT_KINDS, kindOf } from '../../schema/kinds/content-kinds.ts';
import { TERM_KINDS, type TermKind } from '../../schema/kinds/term-kinds.ts';

import type { LinksOf } from './content-links.ts';
import { itemLinks, revisionLinks } from './item-links.ts';

/** Functions that make the links of a record, by the name of its GraphQL type. */
export const RECORD_LINKS: Readonly<Record<string, LinksOf>> = {
  RegisteredType: registryLinks('/wp/v2/types'),
  RegisteredStatus: ({ slug }, href) => ({
    archives: [{ href: href(slug === 'publish' ? '/wp/v2/posts' : `/wp/v2/posts?status=${slug}`) }],
  }),
  RegisteredTaxonomy: registryLinks('/wp/v2/taxonomies'),
  User: ({ id }, href) => ({
    self: [{ href: href(`/wp/v2/users/${id}`) }],
    collection: [{ href: href('/wp/v2/users') }],
  }),
  Comment: (comment, href) => {
    const { id, author, post, post_type, parent, has_children } = comment;
    const path = kindOf(String(post_type))?.many;
    return {
      self: [{ href: href(`/wp/v2/comments/${id}`) }],
      collection: [{ href: href('/wp/v2/comments') }],
      ...(author === 0 ? {} : { author: [{ embeddable: true, href: href(`/wp/v2/users/${author}`) }] }),
      ...(path === undefined ? {} : { up: [{ embeddable: true, post_type, href: href(`/wp/v2/${path}/${post}`) }] }),
      ...(parent === 0 ? {} : { 'in-reply-to': [{ embeddable: true, href: href(`/wp/v2/comments/${parent}`) }] }),
      ...(has_children ? { children: [{ href: href(`/wp/v2/comments?parent=${id}`) }] } : {}),
    };
  },
  ...Object.fromEntries(
    CONTENT_KINDS.flatMap((kind) => [
      [kind.record.name, itemLinks(kind)],
      [`${kind.record.name}Revision`, revisionLinks(kind)],
    ]),
  ),
  ...Object.fromEntries(TERM_KINDS.map((kind) => [kind.record.name, termLinks(kind)])),
};

function registryLinks(path: string): LinksOf {
  return ({ rest_base }, href) => ({
    collection: [{ href: href(path) }],
    'wp:items': [{ href: href(`/wp/v2/${rest_base}`) }],
  });
}

function termLinks(kind: TermKind): LinksOf {
  const path = `/wp/v2/${kind.many}`;
  const kinds = CONTENT_KINDS.filter(({ terms }) => terms.includes(kind));
  return ({ id, parent }, href) => ({
    self: [{ href: href(`${path}/${id}`) }],
    collection: [{ href: href(path) }],
    about: [{ href: href(`/wp/v2/taxonomies/${kind.taxonomy}`) }],
    ...(typeof parent === 'number' && parent > 0
      ? { up: [{ embeddable: true, href: href(`${path}/${parent}`) }] }
      : {}),
    'wp:post_type': kinds.map(({ many }) => ({ href: href(`/wp/v2/${many}?${kind.field}=${id}`) })),
  });
}
