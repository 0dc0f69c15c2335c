import type { LinksOf } from './content-links.ts';
import { commentLinks } from './links/comment-links.ts';
import { attachmentLinks, pageLinks, postLinks, revisionLinks } from './links/item-links.ts';
import { statusLinks, taxonomyLinks, typeLinks } from './links/registry-links.ts';
import { userLinks } from './links/user-links.ts';
import { categoryLinks, tagLinks } from './links/term-links.ts';

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
