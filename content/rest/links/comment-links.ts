import { kindOf } from '../../schema/kinds/content-kinds.ts';

import type { ContentLinks, LinksOf } from './content-links.ts';

/** The links of a comment: who wrote it, on what, in answer to what, and what answers it. */
export const commentLinks: LinksOf = (comment, href): ContentLinks => {
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
};
