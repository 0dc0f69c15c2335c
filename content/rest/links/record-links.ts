import { CONTENT_KINDS } from '../../schema/kinds/content-kinds.ts';
import { TERM_KINDS } from '../../schema/kinds/term-kinds.ts';

import { commentLinks } from './comment-links.ts';
import type { LinksOf } from './content-links.ts';
import { itemLinks, revisionLinks } from './item-links.ts';
import { statusLinks, taxonomyLinks, typeLinks } from './registry-links.ts';
import { termLinks } from './term-links.ts';
import { userLinks } from './user-links.ts';

/** Functions that make the links of a record, by the name of its GraphQL type. */
export const RECORD_LINKS: Readonly<Record<string, LinksOf>> = {
  RegisteredType: typeLinks,
  RegisteredStatus: statusLinks,
  RegisteredTaxonomy: taxonomyLinks,
  User: userLinks,
  Comment: commentLinks,
  ...Object.fromEntries(
    CONTENT_KINDS.flatMap((kind) => [
      [kind.record.name, itemLinks(kind)],
      [`${kind.record.name}Revision`, revisionLinks(kind)],
    ]),
  ),
  ...Object.fromEntries(TERM_KINDS.map((kind) => [kind.record.name, termLinks(kind)])),
};
