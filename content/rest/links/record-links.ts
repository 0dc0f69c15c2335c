import type { LinksOf } from './content-links.ts';
import { commentLinks } from './comment-links.ts';
import { attachmentLinks, pageLinks, postLinks, revisionLinks } from './item-links.ts';
import { statusLinks, taxonomyLinks, typeLinks } from './registry-links.ts';
import { userLinks } from './user-links.ts';
import { categoryLinks, tagLinks } from './term-links.ts';

/** The links of each type of record that has some, by the type's name. */
export const RECORD_LINKS: Readonly<Record<string, LinksOf>> = {
  Post: postLinks,
  Page: pageLinks,
  Attachment: attachmentLinks,
  RegisteredType: typeLinks,
  RegisteredStatus: statusLinks,
  RegisteredTaxonomy: taxonomyLinks,
  Category: categoryLinks,
  Tag: tagLinks,
  PostRevision: revisionLinks('/wp/v2/posts'),
  PageRevision: revisionLinks('/wp/v2/pages'),
  User: userLinks,
  Comment: commentLinks,
};
