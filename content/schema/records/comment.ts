import { AVATAR_SCHEMA, type AvatarUrls } from './website-user.ts';
import {
  ADDRESS,
  contentRecord,
  flag,
  integer,
  LINK_ONLY,
  metaField,
  part,
  type RecordOf,
  text,
  untyped,
} from '../content-field.ts';
import { ALWAYS, EDIT_ONLY, NOT_EMBEDDED } from '../display-context.ts';
import { renderedFields } from '../rendered.ts';
import { DATE_FIELDS } from './content-item.ts';

const CommentContent = contentRecord(
  { name: 'CommentContent' },
  'The text of a comment.',
  renderedFields('content', ALWAYS),
);

/** A comment, as the content interface shows one. Specification: section D, `/wp/v2/comments`. */
export const Comment = contentRecord(
  { name: 'Comment', title: 'comment' },
  'A comment on a post, page or attachment.',
  {
    id: integer(ALWAYS, 'Unique identifier for the object.', { readonly: true, linked: true }),
    author: integer(ALWAYS, 'The ID of the user object, if author was a user.', { linked: true }),
    author_email: text(EDIT_ONLY, 'Email address for the object author.', { schema: { format: 'email' } }),
    author_ip: text(EDIT_ONLY, 'IP address for the object author.', { schema: { format: 'ip' } }),
    author_name: text(ALWAYS, 'Display name for the object author.'),
    author_url: text(ALWAYS, 'URL for the object author.', { schema: { format: 'uri' } }),
    author_user_agent: text(EDIT_ONLY, 'User agent for the object author.'),
    content: part(CommentContent, ALWAYS, 'The content for the object.'),
    ...DATE_FIELDS,
    link: text(ALWAYS, 'URL to the object.', ADDRESS),
    parent: integer(ALWAYS, 'The ID for the parent of the object.', { linked: true, schema: { default: 0 } }),
    post: integer(NOT_EMBEDDED, 'The ID of the associated post object.', { linked: true, schema: { default: 0 } }),
    status: text(NOT_EMBEDDED, 'State of the object.'),
    type: text(ALWAYS, 'Type of Comment for the object.', { readonly: true }),
    author_avatar_urls: untyped<AvatarUrls>(ALWAYS, 'Avatar URLs for the object author.', {
      readonly: true,
      schema: AVATAR_SCHEMA,
    }),
    meta: metaField(NOT_EMBEDDED),
    post_type: text([], 'The type of the post; empty if there is none.', LINK_ONLY),
    has_children: flag([], 'True if the comment has replies.', LINK_ONLY),
  },
);

/** Values of {@link Comment}. */
export type Comment = RecordOf<typeof Comment>;
