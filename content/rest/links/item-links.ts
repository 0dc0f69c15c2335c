import type { ContentKind } from '../../schema/kinds/content-kinds.ts';

import type { ContentLink, ContentLinks, LinkedRecord, LinksOf } from './content-links.ts';

/** Makes the links of the items of a kind. */
export function itemLinks(kind: ContentKind): LinksOf {
  const path = `/wp/v2/${kind.many}`;
  return (item, href) => {
    const self = href(`${path}/${item.id}`);
    const links = {
      self: [{ href: self }],
      collection: [{ href: href(path) }],
      about: [{ href: href(`/wp/v2/types/${kind.type}`) }],
      ...whereSet('author', item.author, (id) => ({ embeddable: true, href: href(`/wp/v2/users/${id}`) })),
      replies: [{ embeddable: true, href: href(`/wp/v2/comments?post=${item.id}`) }],
      ...(kind.isUploaded ? {} : writtenLinks(kind, item, href)),
      ...actionLinks(item, self),
    };
    return kind.isUploaded ? withNestedAttributes(links) : links;
  };
}

/** Links to what belongs to an item that is written: revisions, the item above it, media, terms. */
function writtenLinks({ many, terms }: ContentKind, item: LinkedRecord, href: (path: string) => string): ContentLinks {
  const path = `/wp/v2/${many}`;
  const revisions = href(`${path}/${item.id}/revisions`);
  return {
    'version-history': [{ count: item.revision_count, href: revisions }],
    ...whereSet('predecessor-version', item.last_revision, (id) => ({ id, href: `${revisions}/${id}` })),
    ...whereSet('up', item.parent, (id) => ({ embeddable: true, href: href(`${path}/${id}`) })),
    ...whereSet('wp:featuredmedia', item.featured_media, (id) => ({
      embeddable: true,
      href: href(`/wp/v2/media/${id}`),
    })),
    'wp:attachment': [{ href: href(`/wp/v2/media?parent=${item.id}`) }],
    ...(terms.length > 0
      ? {
          'wp:term': terms.map((term) => ({
            taxonomy: term.taxonomy,
            embeddable: true,
            href: href(`/wp/v2/${term.many}?post=${item.id}`),
          })),
        }
      : {}),
  };
}

/** Moves the attributes of links one level deeper, which hides them from `_embed`: a quirk of the reference. */
function withNestedAttributes(links: ContentLinks): ContentLinks {
  const nested = ({ href, ...attributes }: ContentLink) => ({
    attributes: Object.keys(attributes).length > 0 ? attributes : [],
    href,
  });
  return Object.fromEntries(Object.entries(links).map(([relation, targets]) => [relation, targets.map(nested)]));
}

/** A relation for each thing that the caller may do with the object; all lead to the object itself. */
function actionLinks({ actions }: LinkedRecord, self: string): ContentLinks {
  return Object.fromEntries((actions as readonly string[]).map((action) => [`wp:action-${action}`, [{ href: self }]]));
}

function whereSet(relation: string, id: unknown, link: (id: number) => ContentLink): ContentLinks {
  return typeof id === 'number' && id > 0 ? { [relation]: [link(id)] } : {};
}

/** Makes the links of the revisions of a kind: to the item itself. */
export function revisionLinks({ many }: ContentKind): LinksOf {
  return ({ parent }, href) => ({ parent: [{ href: href(`/wp/v2/${many}/${parent}`) }] });
}
