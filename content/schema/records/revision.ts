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
  @ContentField(() => String, { in: EDIT_ONLY, description: 'Content for the object, as it exists in the database.' })
  readonly raw!: string;

  @ContentField(() => String, {
    in: NOT_EMBEDDED,
    description: 'HTML content for the object, transformed for display.',
    readonly: true,
  })
  readonly rendered!: string;
}

/** The excerpt of a revision. */
@ObjectType({ simpleResolvers: true, description: 'A short text as it was.' })
export class RevisedExcerpt {
  @ContentField(() => String, { in: EDIT_ONLY, description: 'Excerpt for the object, as it exists in the database.' })
  readonly raw!: string;

  @ContentField(() => String, {
    in: ALWAYS,
    description: 'HTML excerpt for the object, transformed for display.',
    readonly: true,
  })
  readonly rendered!: string;
}

/** What a post or page was. Specification: section D, `/wp/v2/posts/{id}/revisions`. */
@ContentRecord('post-revision', 'What a post or page was.')
export class Revision {
  @ContentField(() => Integer, { in: ALWAYS, description: 'The ID for the author of the object.' })
  readonly author!: number;

  @ContentField(() => String, {
    in: ALWAYS,
    description: "The date the object was published, in the site's timezone.",
  })
  readonly date!: string;

  @ContentField(() => String, { in: NOT_EMBEDDED, description: 'The date the object was published, as GMT.' })
  readonly date_gmt!: string | null;

  @ContentField(() => Integer, { in: ALWAYS, description: 'Unique identifier for the object.' })
  readonly id!: number;

  @ContentField(() => String, {
    in: NOT_EMBEDDED,
    description: "The date the object was last modified, in the site's timezone.",
  })
  readonly modified!: string;

  @ContentField(() => String, { in: NOT_EMBEDDED, description: 'The date the object was last modified, as GMT.' })
  readonly modified_gmt!: string;

  @ContentField(() => Integer, { in: ALWAYS, description: 'The ID for the parent of the object.', linked: true })
  readonly parent!: number;

  @ContentField(() => String, {
    in: ALWAYS,
    description: 'An alphanumeric identifier for the object unique to its type.',
  })
  readonly slug!: string;

  @ContentField(() => Guid, { in: NOT_EMBEDDED, description: 'GUID for the object, as it exists in the database.' })
  readonly guid!: Guid;

  @ContentField(() => Title, { in: ALWAYS, description: 'The title for the object.' })
  readonly title!: Title;

  @ContentField(() => RevisedContent, { in: NOT_EMBEDDED, description: 'The content for the object.' })
  readonly content!: RevisedContent;

  @ContentField(() => RevisedExcerpt, { in: ALWAYS, description: 'The excerpt for the object.' })
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
