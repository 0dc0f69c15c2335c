import { ObjectType } from 'type-graphql';

import { Untyped } from '../../../schema/untyped.ts';

import { AVATAR_SCHEMA, type AvatarUrls } from './avatar-urls.ts';
import { ContentField, ContentRecord, LinkField } from '../content-field.ts';
import { ALWAYS, EDIT_ONLY, NOT_EMBEDDED } from '../display-context.ts';
import { Integer } from '../integer.ts';
import type { Rendered } from '../rendered.ts';

/** The text of a comment. */
@ObjectType({ simpleResolvers: true, description: 'The text of a comment.' })
export class CommentContent implements Rendered {
  @ContentField(() => String, EDIT_ONLY, 'Content for the object, as it exists in the database.')
  readonly raw!: string;

  @ContentField(() => String, ALWAYS, 'HTML content for the object, transformed for display.', { readonly: true })
  readonly rendered!: string;
}

/** A comment, as the content interface shows one. Specification: section D, `/wp/v2/comments`. */
@ContentRecord('comment', 'A comment on a post, page or attachment.')
export class Comment {
  @ContentField(() => Integer, ALWAYS, 'Unique identifier for the object.', { readonly: true, linked: true })
  readonly id!: number;

  @ContentField(() => Integer, ALWAYS, 'The ID of the user object, if author was a user.', { linked: true })
  readonly author!: number;

  @ContentField(() => String, EDIT_ONLY, 'Email address for the object author.', { schema: { format: 'email' } })
  readonly author_email!: string;

  @ContentField(() => String, EDIT_ONLY, 'IP address for the object author.', { schema: { format: 'ip' } })
  readonly author_ip!: string;

  @ContentField(() => String, ALWAYS, 'Display name for the object author.')
  readonly author_name!: string;

  @ContentField(() => String, ALWAYS, 'URL for the object author.', { schema: { format: 'uri' } })
  readonly author_url!: string;

  @ContentField(() => String, EDIT_ONLY, 'User agent for the object author.')
  readonly author_user_agent!: string;

  @ContentField(() => CommentContent, ALWAYS, 'The content for the object.')
  readonly content!: CommentContent;

  @ContentField(() => String, ALWAYS, "The date the object was published, in the site's timezone.", {
    schema: { format: 'date-time' },
  })
  readonly date!: string;

  @ContentField(() => String, NOT_EMBEDDED, 'The date the object was published, as GMT.', {
    schema: { format: 'date-time' },
  })
  readonly date_gmt!: string;

  @ContentField(() => String, ALWAYS, 'URL to the object.', { readonly: true, schema: { format: 'uri' } })
  readonly link!: string;

  @ContentField(() => Integer, ALWAYS, 'The ID for the parent of the object.', { linked: true, schema: { default: 0 } })
  readonly parent!: number;

  @ContentField(() => Integer, NOT_EMBEDDED, 'The ID of the associated post object.', {
    linked: true,
    schema: { default: 0 },
  })
  readonly post!: number;

  @ContentField(() => String, NOT_EMBEDDED, 'State of the object.')
  readonly status!: string;

  @ContentField(() => String, ALWAYS, 'Type of Comment for the object.', { readonly: true })
  readonly type!: string;

  @ContentField(() => Untyped, ALWAYS, 'Avatar URLs for the object author.', { readonly: true, schema: AVATAR_SCHEMA })
  readonly author_avatar_urls!: AvatarUrls;

  @ContentField(() => Untyped, NOT_EMBEDDED, 'Meta fields.', { schema: { type: 'object', properties: [] } })
  readonly meta!: readonly never[];

  @LinkField(() => String, 'The type of the post, empty where there is none.')
  readonly post_type!: string;

  @LinkField(() => Boolean, 'Whether other comments answer it.')
  readonly has_children!: boolean;
}
