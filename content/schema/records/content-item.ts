import { ObjectType } from 'type-graphql';

import { Untyped } from '../../../schema/untyped.ts';

import { ContentField, LinkField } from '../content-field.ts';
import { ALWAYS, NOT_EMBEDDED } from '../display-context.ts';
import { Integer } from '../integer.ts';
import { Guid, Title } from '../rendered.ts';

/** The statuses that a post or page may be given. */
export const WRITABLE_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

/** Values of a field that opens comments or pings. */
export const OPEN_OR_CLOSED = ['open', 'closed'] as const;

/** Fields that posts, pages and attachments share. Specification: section D. */
@ObjectType({ simpleResolvers: true, description: 'What posts, pages and attachments share.' })
export class ContentItem {
  @ContentField(() => Integer, ALWAYS, 'Unique identifier for the object.', { readonly: true, linked: true })
  readonly id!: number;

  @ContentField(() => String, ALWAYS, "The date the object was published, in the site's timezone.", {
    schema: { format: 'date-time' },
  })
  readonly date!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'The date the object was published, as GMT.', {
    schema: { format: 'date-time' },
  })
  readonly date_gmt!: string | null;

  @ContentField(() => Guid, NOT_EMBEDDED, 'The globally unique identifier for the object.', { readonly: true })
  readonly guid!: Guid;

  @ContentField(() => String, NOT_EMBEDDED, "The date the object was last modified, in the site's timezone.", {
    readonly: true,
    schema: { format: 'date-time' },
  })
  readonly modified!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'The date the object was last modified, as GMT.', {
    readonly: true,
    schema: { format: 'date-time' },
  })
  readonly modified_gmt!: string;

  @ContentField(() => String, ALWAYS, 'An alphanumeric identifier for the object unique to its type.')
  readonly slug!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'A named status for the object.', { schema: { enum: WRITABLE_STATUSES } })
  readonly status!: string;

  @ContentField(() => String, ALWAYS, 'Type of Post for the object.', { readonly: true })
  readonly type!: string;

  @ContentField(() => String, ALWAYS, 'URL to the object.', { readonly: true, linked: true, schema: { format: 'uri' } })
  readonly link!: string;

  @ContentField(() => Title, ALWAYS, 'The title for the object.')
  readonly title!: Title;

  @ContentField(() => Integer, ALWAYS, 'The ID for the author of the object.', { linked: true })
  readonly author!: number;

  @ContentField(() => String, NOT_EMBEDDED, 'Whether or not comments are open on the object.', {
    schema: { enum: OPEN_OR_CLOSED },
  })
  readonly comment_status!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'Whether or not the object can be pinged.', {
    schema: { enum: OPEN_OR_CLOSED },
  })
  readonly ping_status!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'The theme file to use to display the object.')
  readonly template!: string;

  @ContentField(() => Untyped, NOT_EMBEDDED, 'Meta fields.', { schema: { type: 'object', properties: [] } })
  readonly meta!: readonly never[];

  @LinkField(() => [String], 'What the caller may do with the object, as relations of links name it.')
  readonly actions!: readonly string[];
}
