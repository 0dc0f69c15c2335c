import { ContentField, ContentRecord } from '../content-field.ts';
import { ALWAYS, EDIT_ONLY, NOT_EMBEDDED } from '../display-context.ts';
import { Integer } from '../integer.ts';
import { CONTEXT, forceOf, idOf } from '../list-parameters.ts';
import type { ParameterTable } from '../parameter.ts';
import { Guid, Title } from '../rendered.ts';
import { type ClassType, ObjectType } from 'type-graphql';

/** The text of a revision, which no password protects: whoever sees a revision may change what it is of. */
@ObjectType({ simpleResolvers: true, description: 'A body of text as it was.' })
export class RevisedContent {
  @ContentField(() => String, EDIT_ONLY, 'Content for the object, as it exists in the database.')
  readonly raw!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'HTML content for the object, transformed for display.', { readonly: true })
  readonly rendered!: string;
}

/** The excerpt of a revision. */
@ObjectType({ simpleResolvers: true, description: 'A short text as it was.' })
export class RevisedExcerpt {
  @ContentField(() => String, EDIT_ONLY, 'Excerpt for the object, as it exists in the database.')
  readonly raw!: string;

  @ContentField(() => String, ALWAYS, 'HTML excerpt for the object, transformed for display.', { readonly: true })
  readonly rendered!: string;
}

/** A former state of a post or page. Specification: section D, `/wp/v2/posts/{id}/revisions`. */
@ContentRecord('post-revision', 'What a post or page was.')
export class Revision {
  @ContentField(() => Integer, ALWAYS, 'The ID for the author of the object.')
  readonly author!: number;

  @ContentField(() => String, ALWAYS, "The date the object was published, in the site's timezone.")
  readonly date!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'The date the object was published, as GMT.')
  readonly date_gmt!: string | null;

  @ContentField(() => Integer, ALWAYS, 'Unique identifier for the object.')
  readonly id!: number;

  @ContentField(() => String, NOT_EMBEDDED, "The date the object was last modified, in the site's timezone.")
  readonly modified!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'The date the object was last modified, as GMT.')
  readonly modified_gmt!: string;

  @ContentField(() => Integer, ALWAYS, 'The ID for the parent of the object.', { linked: true })
  readonly parent!: number;

  @ContentField(() => String, ALWAYS, 'An alphanumeric identifier for the object unique to its type.')
  readonly slug!: string;

  @ContentField(() => Guid, NOT_EMBEDDED, 'GUID for the object, as it exists in the database.')
  readonly guid!: Guid;

  @ContentField(() => Title, ALWAYS, 'The title for the object.')
  readonly title!: Title;

  @ContentField(() => RevisedContent, NOT_EMBEDDED, 'The content for the object.')
  readonly content!: RevisedContent;

  @ContentField(() => RevisedExcerpt, ALWAYS, 'The excerpt for the object.')
  readonly excerpt!: RevisedExcerpt;
}

/** Makes the class of the revisions of a kind: `PostRevision`. */
export function revisionOf(kind: { readonly type: string; readonly record: ClassType }): ClassType<Revision> {
  @ContentRecord(`${kind.type}-revision`, `A former state of a ${kind.type}.`, { name: `${kind.record.name}Revision` })
  class KindRevision extends Revision {}
  return KindRevision;
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
