import type { ContentLink, ContentLinks, LinkedRecord, LinksOf } from './content-links.ts';

/** What differs between the links of posts and those of pages. */
interface ItemLinks {
  /** Path of the list: `/wp/v2/posts`. */
  readonly path: string;
  readonly type: 'post' | 'page';
  readonly taxonomies: readonly { readonly name: string; readonly path: string }[];
}

/** The links of a post. */
export const postLinks: LinksOf = itemLinks({
  path: '/wp/v2/posts',
  type: 'post',
  taxonomies: [
    { name: 'category', path: '/wp/v2/categories' },
    { name: 'post_tag', path: '/wp/v2/tags' },
  ],
});

/** The links of a page. */
export const pageLinks: LinksOf = itemLinks({ path: '/wp/v2/pages', type: 'page', taxonomies: [] });

/**
 * The links of an attachment. What is said of them stands one level deeper than in those of everything else, so that
 * `_embed` shows nothing of an attachment: a quirk of the reference.
 */
export const attachmentLinks: LinksOf = (item, href) => {
  const self = href(`/wp/v2/media/${item.id}`);
  const common = commonLinks(item, href, { self, list: '/wp/v2/media', type: 'attachment' });
  const links = Object.entries({ ...common, ...actionLinks(item, self) });
  return Object.fromEntries(links.map(([relation, targets]) => [relation, targets.map(withNestedAttributes)]));
};

function withNestedAttributes({ href, ...attributes }: ContentLink): ContentLink {
  return { attributes: Object.keys(attributes).length > 0 ? attributes : [], href };
}

/** What posts, pages and attachments link to alike. */
function commonLinks(
  item: LinkedRecord,
  href: (path: string) => string,
  { self, list, type }: { readonly self: string; readonly list: string; readonly type: string },
): ContentLinks {
  return {
    self: [{ href: self }],
    collection: [{ href: href(list) }],
    about: [{ href: href(`/wp/v2/types/${type}`) }],
    ...whereSet('author', item.author, (id) => ({ embeddable: true, href: href(`/wp/v2/users/${id}`) })),
    replies: [{ embeddable: true, href: href(`/wp/v2/comments?post=${item.id}`) }],
  };
}

function itemLinks({ path, type, taxonomies }: ItemLinks): LinksOf {
  return (item, href) => {
    const self = href(`${path}/${item.id}`);
    return {
      ...commonLinks(item, href, { self, list: path, type }),
      'version-history': [{ count: item.revision_count, href: `${self}/revisions` }],
      ...whereSet('predecessor-version', item.last_revision, (id) => ({ id, href: `${self}/revisions/${id}` })),
      ...whereSet('up', item.parent, (id) => ({ embeddable: true, href: href(`${path}/${id}`) })),
      ...whereSet('wp:featuredmedia', item.featured_media, (id) => ({
        embeddable: true,
        href: href(`/wp/v2/media/${id}`),
      })),
      'wp:attachment': [{ href: href(`/wp/v2/media?parent=${item.id}`) }],
      ...(taxonomies.length > 0
        ? {
            'wp:term': taxonomies.map(({ name, path }) => ({
              taxonomy: name,
              embeddable: true,
              href: href(`${path}?post=${item.id}`),
            })),
          }
        : {}),
      ...actionLinks(item, self),
    };
  };
}

/** A relation for each thing that the caller may do with the object; all lead to the object itself. */
export function actionLinks({ actions }: LinkedRecord, self: string): ContentLinks {
  return Object.fromEntries((actions as readonly string[]).map((action) => [`wp:action-${action}`, [{ href: self }]]));
}

function whereSet(relation: string, id: unknown, link: (id: number) => ContentLink): ContentLinks {
  return typeof id === 'number' && id > 0 ? { [relation]: [link(id)] } : {};
}

/** The links of a revision: to what it is of. */
export function revisionLinks(path: string): LinksOf {
  return ({ parent }, href) => ({ parent: [{ href: href(`${path}/${parent}`) }] });
}
