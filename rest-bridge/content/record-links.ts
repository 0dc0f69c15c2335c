import type { LinksOf } from './content-links.ts';
import { pageLinks, postLinks } from './links/item-links.ts';

/** The links of each type of record that has some, by the type's name. */
export const RECORD_LINKS: Readonly<Record<string, LinksOf>> = {
  Post: postLinks,
  Page: pageLinks,
};
