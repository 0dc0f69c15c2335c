import { ObjectType } from 'type-graphql';

import { Untyped } from '../../../schema/untyped.ts';

import { ContentField, ContentRecord } from '../content-field.ts';
import { DISPLAY_CONTEXTS, NOT_EMBEDDED } from '../display-context.ts';
import { Integer } from '../integer.ts';

/** Fields that categories and tags share. Specification: section D. */
@ObjectType({ simpleResolvers: true, description: 'What categories and tags share.' })
export class Term {
  @ContentField(() => Integer, DISPLAY_CONTEXTS, 'Unique identifier for the term.', { readonly: true, linked: true })
  readonly id!: number;

  @ContentField(() => Integer, NOT_EMBEDDED, 'Number of published posts for the term.', { readonly: true })
  readonly count!: number;

  @ContentField(() => String, NOT_EMBEDDED, 'HTML description of the term.')
  readonly description!: string;

  @ContentField(() => String, DISPLAY_CONTEXTS, 'URL of the term.', { readonly: true, schema: { format: 'uri' } })
  readonly link!: string;

  @ContentField(() => String, DISPLAY_CONTEXTS, 'HTML title for the term.', { schema: { required: true } })
  readonly name!: string;

  @ContentField(() => String, DISPLAY_CONTEXTS, 'An alphanumeric identifier for the term unique to its type.')
  readonly slug!: string;

  @ContentField(() => String, DISPLAY_CONTEXTS, 'Type attribution for the term.', {
    readonly: true,
    schema: { enum: ['category', 'post_tag', 'nav_menu', 'link_category', 'post_format'] },
  })
  readonly taxonomy!: string;

  @ContentField(() => Untyped, NOT_EMBEDDED, 'Meta fields.', { schema: { type: 'object', properties: [] } })
  readonly meta!: readonly never[];
}

/** A category: terms that form a tree. */
@ContentRecord('category', 'A category of posts.')
export class Category extends Term {
  @ContentField(() => Integer, NOT_EMBEDDED, 'The parent term ID.', { linked: true })
  readonly parent!: number;
}

/** A tag. */
@ContentRecord('tag', 'A tag of posts.')
export class Tag extends Term {}
