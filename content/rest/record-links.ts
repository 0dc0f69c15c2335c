import { type ContentKind, CONTENT_KINDS, kindOf } from '../schema/kinds/content-kinds.ts';
import { TERM_KINDS, type TermKind } from '../schema/kinds/term-kinds.ts';

/** A link of an object: its address and its attributes. */
export interface ContentLink {
  readonly href: string;
  /** True if `_embed` shows the object that it leads to. */
  readonly embeddable?: boolean;
  readonly [attribute: string]: unknown;
}

/** Links by relation, each relation in the order of its links. */
export type ContentLinks = Readonly<Record<string, readonly ContentLink[]>>;

/** The record for which links are made, with the fields of its type. */
export type LinkedRecord = Readonly<Record<string, unknown>>;

/** Makes the links of a record; `href` returns the address of a path of the interface. */
export type LinksOf = (record: LinkedRecord, href: (path: string) => string) => ContentLinks;

const CURIES: readonly ContentLink[] = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

/** Adds the explanation of relations that begin with `wp:`, if any. */
export function withCuries(links: ContentLinks): ContentLinks {
  return Object.keys(links).some((relation) => relation.startsWith('wp:')) ? { ...links, curies: CURIES } : links;
}

/** Functions that make the links of a record, by the name of its GraphQL type. */
export const RECORD_LINKS: Readonly<Record<string, LinksOf>> = {
  RegisteredType: registryLinks('/wp/v2/types'),
  RegisteredStatus: ({ slug }, href) => ({
    archives: [{ href: href(slug === 'publish' ? '/wp/v2/posts' : `/wp/v2/posts?status=${slug}`) }],
  }),
  RegisteredTaxonomy: registryLinks('/wp/v2/taxonomies'),
  User: ({ id }, href) => selfLinks('/wp/v2/users', id, href),
  SearchResult: resultLinks,
  ApplicationPassword: passwordLinks,
  NewApplicationPassword: passwordLinks,
  Comment: ({ id, author, post, post_type, parent, has_children }, href) => {
    const path = kindOf(String(post_type))?.many;
    return {
      ...selfLinks('/wp/v2/comments', id, href),
      ...embeddable('author', author, (user) => href(`/wp/v2/users/${user}`)),
      ...(path === undefined ? {} : { up: [{ embeddable: true, post_type, href: href(`/wp/v2/${path}/${post}`) }] }),
      ...embeddable('in-reply-to', parent, (comment) => href(`/wp/v2/comments/${comment}`)),
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

function resultLinks({ id, path, about }: LinkedRecord, href: (path: string) => string): ContentLinks {
  return {
    self: [{ embeddable: true, href: href(`${path}/${id}`) }],
    about: [{ href: href(String(about)) }],
    collection: [{ href: href('/wp/v2/search') }],
  };
}

function passwordLinks({ user, uuid }: LinkedRecord, href: (path: string) => string): ContentLinks {
  return { self: [{ href: href(`/wp/v2/users/${user}/application-passwords/${uuid}`) }] };
}

function registryLinks(path: string): LinksOf {
  return ({ rest_base }, href) => ({
    collection: [{ href: href(path) }],
    'wp:items': [{ href: href(`/wp/v2/${rest_base}`) }],
  });
}

function selfLinks(path: string, id: unknown, href: (path: string) => string) {
  return { self: [{ href: href(`${path}/${id}`) }], collection: [{ href: href(path) }] };
}

/** A link that `_embed` shows, if there is an object to link to. */
function embeddable(relation: string, id: unknown, href: (id: number) => string): ContentLinks {
  return typeof id === 'number' && id > 0 ? { [relation]: [{ embeddable: true, href: href(id) }] } : {};
}

function itemLinks(kind: ContentKind): LinksOf {
  return (item, href) => {
    const self = selfLinks(`/wp/v2/${kind.many}`, item.id, href);
    const links = {
      ...self,
      about: [{ href: href(`/wp/v2/types/${kind.type}`) }],
      ...embeddable('author', item.author, (id) => href(`/wp/v2/users/${id}`)),
      replies: [{ embeddable: true, href: href(`/wp/v2/comments?post=${item.id}`) }],
      ...(kind.isUploaded ? {} : writtenLinks(kind, item, href)),
      // Actions that the caller may perform on the object: all link to the object itself.
      ...Object.fromEntries((item.actions as readonly string[]).map((action) => [`wp:action-${action}`, self.self])),
    };
    return kind.isUploaded ? withNestedAttributes(links) : links;
  };
}

/** Links of a written item: revisions, parent, media, terms. */
function writtenLinks({ many, terms }: ContentKind, item: LinkedRecord, href: (path: string) => string): ContentLinks {
  const path = `/wp/v2/${many}`;
  const { id, last_revision: last } = item;
  const revisions = href(`${path}/${id}/revisions`);
  const termLinks = terms.map((term) => ({
    taxonomy: term.taxonomy,
    embeddable: true,
    href: href(`/wp/v2/${term.many}?post=${id}`),
  }));
  return {
    'version-history': [{ count: item.revision_count, href: revisions }],
    ...(last ? { 'predecessor-version': [{ id: last, href: `${revisions}/${last}` }] } : {}),
    ...embeddable('up', item.parent, (parent) => href(`${path}/${parent}`)),
    ...embeddable('wp:featuredmedia', item.featured_media, (media) => href(`/wp/v2/media/${media}`)),
    'wp:attachment': [{ href: href(`/wp/v2/media?parent=${id}`) }],
    ...(terms.length > 0 ? { 'wp:term': termLinks } : {}),
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

function revisionLinks({ many }: ContentKind): LinksOf {
  return ({ parent }, href) => ({ parent: [{ href: href(`/wp/v2/${many}/${parent}`) }] });
}

function termLinks(kind: TermKind): LinksOf {
  const path = `/wp/v2/${kind.many}`;
  const kinds = CONTENT_KINDS.filter(({ terms }) => terms.includes(kind));
  return ({ id, parent }, href) => ({
    ...selfLinks(path, id, href),
    about: [{ href: href(`/wp/v2/taxonomies/${kind.taxonomy}`) }],
    ...embeddable('up', parent, (above) => href(`${path}/${above}`)),
    'wp:post_type': kinds.map(({ many }) => ({ href: href(`/wp/v2/${many}?${kind.field}=${id}`) })),
  });
}
