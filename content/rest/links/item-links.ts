import type { ContentLink, ContentLinks, LinkedRecord, LinksOf } from './content-links.ts';

/** The links of a post. */
export const postLinks: LinksOf = itemLinks('post', '/wp/v2/posts', {
  category: '/wp/v2/categories',
  post_tag: '/wp/v2/tags',
});

/** The links of a page. */
export const pageLinks: LinksOf = itemLinks('page', '/wp/v2/pages', {});

/**
 * The links of an attachment. What is said of them stands one level deeper than in those of everything else, so that
 * `_embed` shows nothing of an attachment: a quirk of the reference.
 */
export const attachmentLinks: LinksOf = (item, href) => {
  const self = href(`/wp/v2/media/${item.id}`);
  const common = commonLinks('attachment', '/wp/v2/media', item, href);
  const links = Object.entries({ ...common, ...actionLinks(item, self) });
  return Object.fromEntries(links.map(([relation, targets]) => [relation, targets.map(withNestedAttributes)]));
};

function withNestedAttributes({ href, ...attributes }: ContentLink): ContentLink {
  return { attributes: Object.keys(attributes).length > 0 ? attributes : [], href };
}

/** The links that posts, pages and attachments have in common. */
function commonLinks(type: string, path: string, item: LinkedRecord, href: (path: string) => string): ContentLinks {
  return {
    self: [{ href: href(`${path}/${item.id}`) }],
    collection: [{ href: href(path) }],
    about: [{ href: href(`/wp/v2/types/${type}`) }],
    ...whereSet('author', item.author, (id) => ({ embeddable: true, href: href(`/wp/v2/users/${id}`) })),
    replies: [{ embeddable: true, href: href(`/wp/v2/comments?post=${item.id}`) }],
  };
}

/** @param taxonomies paths of the terms that an item of this type has, by taxonomy */
function itemLinks(type: string, path: string, taxonomies: Readonly<Record<string, string>>): LinksOf {
  return (item, href) => {
    const self = href(`${path}/${item.id}`);
    const terms = Object.entries(taxonomies).map(([taxonomy, terms]) => ({
      taxonomy,
      embeddable: true,
      href: href(`${terms}?post=${item.id}`),
    }));
    return {
      ...commonLinks(type, path, item, href),
      'version-history': [{ count: item.revision_count, href: `${self}/revisions` }],
      ...whereSet('predecessor-version', item.last_revision, (id) => ({ id, href: `${self}/revisions/${id}` })),
      ...whereSet('up', item.parent, (id) => ({ embeddable: true, href: href(`${path}/${id}`) })),
      ...whereSet('wp:featuredmedia', item.featured_media, (id) => ({
        embeddable: true,
        href: href(`/wp/v2/media/${id}`),
      })),
      'wp:attachment': [{ href: href(`/wp/v2/media?parent=${item.id}`) }],
      ...(terms.length > 0 ? { 'wp:term': terms } : {}),
      ...actionLinks(item, self),
    };
  };
}

/** A relation for each thing that the caller may do with the object; all lead to the object itself. */
function actionLinks({ actions }: LinkedRecord, self: string): ContentLinks {
  return Object.fromEntries((actions as readonly string[]).map((action) => [`wp:action-${action}`, [{ href: self }]]));
}

function whereSet(relation: string, id: unknown, link: (id: number) => ContentLink): ContentLinks {
  return typeof id === 'number' && id > 0 ? { [relation]: [link(id)] } : {};
}
