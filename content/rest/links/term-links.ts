import { CONTENT_KINDS } from '../../schema/kinds/content-kinds.ts';
import type { TermKind } from '../../schema/kinds/term-kinds.ts';

import type { LinksOf } from './content-links.ts';

/** Makes the links of the terms of a taxonomy. */
export function termLinks(kind: TermKind): LinksOf {
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
