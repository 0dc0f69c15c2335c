import type { LinksOf } from './content-links.ts';
import { pageLinks, postLinks, revisionLinks } from './links/item-links.ts';

/** The links of each type of record that has some, by the type's name. */
export const RECORD_LINKS: Readonly<Record<string, LinksOf>> = {
  Post: postLinks,
  Page: pageLinks,
  PostRevision: revisionLinks('/wp/v2/posts'),
  PageRevision: revisionLinks('/wp/v2/pages'),
};
