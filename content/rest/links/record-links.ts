import type { LinksOf } from './content-links.ts';
import { attachmentLinks, pageLinks, postLinks } from './item-links.ts';

/** The links of each type of record that has some, by the type's name. */
export const RECORD_LINKS: Readonly<Record<string, LinksOf>> = {
  Post: postLinks,
  Page: pageLinks,
  Attachment: attachmentLinks,
  RegisteredType: registryLinks('/wp/v2/types'),
  RegisteredStatus: ({ slug }, href) => ({
    archives: [{ href: href(slug === 'publish' ? '/wp/v2/posts' : `/wp/v2/posts?status=${slug}`) }],
  }),
  RegisteredTaxonomy: registryLinks('/wp/v2/taxonomies'),
  Category: termLinks('/wp/v2/categories', 'category', 'categories'),
  Tag: termLinks('/wp/v2/tags', 'post_tag', 'tags'),
  PostRevision: revisionLinks('/wp/v2/posts'),
  PageRevision: revisionLinks('/wp/v2/pages'),
  User: ({ id }, href) => ({
    self: [{ href: href(`/wp/v2/users/${id}`) }],
    collection: [{ href: href('/wp/v2/users') }],
  }),
  Comment: (comment, href) => {
    const { id, author, post, post_type, parent, has_children } = comment;
    const path = COMMENTED_PATHS[String(post_type)];
    return {
      self: [{ href: href(`/wp/v2/comments/${id}`) }],
      collection: [{ href: href('/wp/v2/comments') }],
      ...(author === 0 ? {} : { author: [{ embeddable: true, href: href(`/wp/v2/users/${author}`) }] }),
      ...(path === undefined ? {} : { up: [{ embeddable: true, post_type, href: href(`/wp/v2/${path}/${post}`) }] }),
      ...(parent === 0 ? {} : { 'in-reply-to': [{ embeddable: true, href: href(`/wp/v2/comments/${parent}`) }] }),
      ...(has_children ? { children: [{ href: href(`/wp/v2/comments?parent=${id}`) }] } : {}),
    };
  },
};

/** Paths of the objects that comments are on, by type of content. */
const COMMENTED_PATHS: Readonly<Record<string, string>> = { post: 'posts', page: 'pages', attachment: 'media' };

function registryLinks(path: string): LinksOf {
  return ({ rest_base }, href) => ({
    collection: [{ href: href(path) }],
    'wp:items': [{ href: href(`/wp/v2/${rest_base}`) }],
  });
}

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

function revisionLinks(path: string): LinksOf {
  return ({ parent }, href) => ({ parent: [{ href: href(`${path}/${parent}`) }] });
}
