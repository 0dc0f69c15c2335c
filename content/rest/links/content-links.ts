/** A link of an object: its address and its attributes. */
export interface ContentLink {
  readonly href: string;
  /** True where `_embed` shows the object that it leads to. */
  readonly embeddable?: boolean;
  readonly [attribute: string]: unknown;
}

/** Links by relation, each relation in the order of its links. */
export type ContentLinks = Readonly<Record<string, readonly ContentLink[]>>;

/** The record that links are made for, with the fields of its type. */
export type LinkedRecord = Readonly<Record<string, unknown>>;

/** Makes the links of a record; `href` returns the address of a path of the interface. */
export type LinksOf = (record: LinkedRecord, href: (path: string) => string) => ContentLinks;

const CURIES: readonly ContentLink[] = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

/** Adds the explanation of relations that begin with `wp:`, where there is one. */
export function withCuries(links: ContentLinks): ContentLinks {
  return Object.keys(links).some((relation) => relation.startsWith('wp:')) ? { ...links, curies: CURIES } : links;
}
