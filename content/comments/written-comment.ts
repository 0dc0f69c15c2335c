import { isIP } from 'node:net';

import { may } from '../access/capabilities.ts';
import type { StoredComment } from '../models/comment.ts';
import { type StoredWebsiteUser, WebsiteUserStore } from '../models/website-user.ts';
import type { COMMENT_WRITE } from '../schema/parameters/comment-parameters.ts';
import { ContentError } from '../schema/content-error.ts';
import { isTruthy } from '../schema/php-values.ts';
import { given, type ParametersOf } from '../schema/parameter.ts';
import { cleanName, cleanSite } from '../rendering/text-field.ts';
import type { ContentContext } from '../access/content-context.ts';
import { nofollowLinks } from '../rendering/typography/links.ts';
import { sanitizeHtml } from '../rendering/markup/sanitize-html.ts';
import { writtenDates } from '../access/site-time.ts';
import { textOf } from '../items/item-changes.ts';
import type { Service } from '../../models/store/service.ts';

/** Fields of a comment that can be written. */
export type CommentWriteArguments = Omit<ParametersOf<typeof COMMENT_WRITE>, 'id'>;

/** A comment as sent by a request, in its stored form. */
export type WrittenComment = {
  readonly [K in Exclude<keyof StoredComment, 'id' | 'status' | 'status_before' | 'type'>]?: StoredComment[K];
};

/** Maximum size of each text, in bytes. */
const MAX_BYTES = {
  author_name: ['comment_author_column_length', 245],
  author_email: ['comment_author_email_column_length', 100],
  author_url: ['comment_author_url_column_length', 200],
  content: ['comment_content_column_length', 65_525],
} as const;

/**
 * Reads the fields of a comment from a request. Its origin is always set: by moderators freely, else from the
 * request itself.
 *
 * @throws ContentError if its author does not exist
 */
export async function writtenComment(args: CommentWriteArguments, context: ContentContext): Promise<WrittenComment> {
  const content = textOf(args.content);
  const author_user_agent = isTruthy(args.author_user_agent) ? args.author_user_agent : context.client.userAgent;
  const { timezone } = await context.settings();
  return {
    ...(args.author === undefined ? {} : ofUser(await author(context.service, args.author))),
    ...(content === undefined ? {} : { content }),
    ...given(args, 'post', 'author_name', 'author_email', 'author_url'),
    ...(args.parent === undefined ? {} : { parent: Math.max(0, args.parent) }),
    ...(author_user_agent ? { author_user_agent } : {}),
    author_ip: addressOf(args.author_ip, context),
    ...writtenDates(args, timezone),
  };
}

/** Author fields of a comment by a user. */
export function ofUser({ id, name, email, url }: StoredWebsiteUser): WrittenComment {
  return { author: id, author_name: name, author_email: email, author_url: url };
}

/** @throws ContentError if a text is too long, or empty */
export function checkWritten(written: WrittenComment, needsContent: boolean): void {
  const { content } = written;
  if (content === '' || content === '0' || (needsContent && content === undefined)) {
    throw new ContentError('rest_comment_content_invalid', 'Invalid comment content.', 400);
  }
  for (const [name, [code, max]] of Object.entries(MAX_BYTES)) {
    const text = written[name as keyof typeof MAX_BYTES];
    if (text !== undefined && Buffer.byteLength(text) > max) {
      throw new ContentError(code, 'Comment field exceeds maximum length allowed.', 400);
    }
  }
}

/** Cleans a comment for storage, unless the caller may write unfiltered HTML. */
export function cleaned<C extends WrittenComment>(comment: C, { caller, site }: ContentContext): C {
  const { author_name = '', author_url = '', author_email = '', content = '' } = comment;
  const allowed = may(caller, 'unfiltered_html') ? content : sanitizeHtml(content, 'comment');
  return {
    ...comment,
    author_name: cleanName(author_name),
    author_url: cleanSite(author_url),
    author_email: author_email.trim(),
    content: nofollowLinks(allowed, site),
  };
}

async function author(service: Service, id: number): Promise<StoredWebsiteUser> {
  const user = id > 0 ? await WebsiteUserStore.findOne(service, { id }) : null;
  if (!user) throw new ContentError('rest_comment_author_invalid', 'Invalid comment author ID.', 400);
  return user;
}

function addressOf(given: string | undefined, { caller, client }: ContentContext): string {
  if (given !== undefined && may(caller, 'moderate_comments')) return given;
  return isIP(client.ip) === 0 ? '127.0.0.1' : client.ip;
}
