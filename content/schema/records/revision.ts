import {
  type ContentField,
  type ContentRecord,
  contentRecord,
  integer,
  part,
  text,
  type ValuesOf,
} from '../content-field.ts';
import { ALWAYS, NOT_EMBEDDED } from '../display-context.ts';
import { CONTEXT, forceOf, idOf } from '../list-parameters.ts';
import type { ParameterTable } from '../parameter.ts';
import { Content, Excerpt, Guid, renderedFields, Title } from '../rendered.ts';

/** The text of a revision, without password protection: only callers who may change the item see its revisions. */
const RevisedContent = contentRecord(
  { name: 'RevisedContent' },
  'A former body of text.',
  renderedFields('content', NOT_EMBEDDED),
);

const RevisedExcerpt = contentRecord(
  { name: 'RevisedExcerpt' },
  'A former short text.',
  renderedFields('excerpt', ALWAYS),
);

const STAMP = { schema: { format: 'date-time' } } as const;

/** Fields of a former state of a post or page. Specification: section D, `/wp/v2/posts/{id}/revisions`. */
const REVISION_FIELDS = {
  author: integer(ALWAYS, 'The ID for the author of the object.'),
  date: text(ALWAYS, "The date the object was published, in the site's timezone.", STAMP),
  date_gmt: text(NOT_EMBEDDED, 'The date the object was published, as GMT.', STAMP) as ContentField<string | null>,
  id: integer(ALWAYS, 'Unique identifier for the object.'),
  modified: text(NOT_EMBEDDED, "The date the object was last modified, in the site's timezone.", STAMP),
  modified_gmt: text(NOT_EMBEDDED, 'The date the object was last modified, as GMT.', STAMP),
  parent: integer(ALWAYS, 'The ID for the parent of the object.', { linked: true }),
  slug: text(ALWAYS, 'An alphanumeric identifier for the object unique to its type.'),
  guid: part(Guid, NOT_EMBEDDED, 'The globally unique identifier for the object.', { readonly: true }),
  title: part(Title, ALWAYS, 'The title for the object.'),
  content: part(RevisedContent, NOT_EMBEDDED, 'The content for the object.', { describedAs: Content }),
  excerpt: part(RevisedExcerpt, ALWAYS, 'The excerpt for the object.', { describedAs: Excerpt }),
};

/** A former state of a post or page. */
export type Revision = ValuesOf<typeof REVISION_FIELDS>;

/** Makes the record of the revisions of a kind: `PostRevision`. */
export function revisionOf(kind: { readonly type: string; readonly record: ContentRecord }): ContentRecord<Revision> {
  const about = { name: `${kind.record.name}Revision`, title: `${kind.type}-revision` };
  return contentRecord(about, `A former state of a ${kind.type}.`, REVISION_FIELDS);
}

const PARENT = {
  parent: { type: 'integer', description: 'The ID for the parent of the object.' },
} as const satisfies ParameterTable;

/** `GET` of the revisions of a post or page. */
export const REVISION_LIST = { ...PARENT, ...CONTEXT } as const satisfies ParameterTable;

/** `GET` of one revision. */
export const REVISION_READ = { ...PARENT, ...idOf(), ...CONTEXT } as const satisfies ParameterTable;

/** `DELETE` of one revision. */
export const REVISION_DELETE = {
  ...PARENT,
  ...idOf(),
  ...forceOf('Required to be true, as revisions do not support trashing.'),
} as const satisfies ParameterTable;
