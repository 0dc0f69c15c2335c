import { isIP } from 'node:net';

import { may } from '../access/capabilities.ts';
import type { StoredComment } from '../models/comment.ts';
import { type StoredWebsiteUser, WebsiteUserModel } from '../models/website-user.ts';
import type { COMMENT_WRITE } from '../schema/parameters/comment-parameters.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { cleanName, cleanSite } from '../access/clean-name.ts';
import type { ContentContext } from '../access/content-context.ts';
import { nofollowLinks } from '../rendering/typography/nofollow.ts';
import { sanitizeHtml } from '../rendering/markup/sanitize-html.ts';
import { resolveInstant } from '../access/site-time.ts';

/** Fields of a comment that can be written. */
export type CommentWriteArguments = Omit<ParametersOf<typeof COMMENT_WRITE>, 'id'>;

/** A comment as a request states it, in the form in which it would be stored. */
export type WrittenComment = {
  -readonly [K in Exclude<keyof StoredComment, 'id' | 'status' | 'status_before' | 'type'>]?: StoredComment[K];
};

/** Most bytes of each text. */
const MAX_BYTES = {
  author_name: ['comment_author_column_length', 245],
  author_email: ['comment_author_email_column_length', 100],
  author_url: ['comment_author_url_column_length', 200],
  content: ['comment_content_column_length', 65_525],
} as const;

/**
 * Reads what a request says of a comment. Where it is from is always said: by moderators as they like, else by the
 * request itself.
 *
 * @throws ContentError where its author does not exist
 */
export async function writtenComment(args: CommentWriteArguments, context: ContentContext): Promise<WrittenComment> {
  const written: WrittenComment = args.author === undefined ? {} : ofUser(await author(args.author));
  const text = textOf(args.content);
  if (text !== undefined) written.content = text;
  if (args.post !== undefined) written.post = args.post;
  if (args.parent !== undefined) written.parent = args.parent;
  if (args.author_name !== undefined) written.author_name = args.author_name;
  if (args.author_email !== undefined) written.author_email = args.author_email;
  if (args.author_url !== undefined) written.author_url = args.author_url;
  const agent = args.author_user_agent || context.client.userAgent;
  if (agent) written.author_user_agent = agent;
  const { timezone } = await context.settings();
  const moment = args.date
    ? resolveInstant(args.date, 'local', timezone)
    : args.date_gmt
      ? resolveInstant(args.date_gmt, 'gmt', timezone)
      : undefined;
  const date = moment ? { date: moment.local, date_gmt: moment.gmt } : {};
  return { ...written, author_ip: addressOf(args.author_ip, context), ...date };
}

/** Author fields of a comment by a user. */
export function ofUser({ id, name, email, url }: StoredWebsiteUser): WrittenComment {
  return { author: id, author_name: name, author_email: email, author_url: url };
}

/** @throws ContentError where a text is longer than it may be, or there is none */
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

/** Cleans a comment for storage, as far as the caller may not write what they like. */
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

/** A text that is given as such, or as what is written in an object. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (typeof content !== 'object' || content === null || !('raw' in content)) return undefined;
  return typeof content.raw === 'string' ? content.raw : undefined;
}

async function author(id: number): Promise<StoredWebsiteUser> {
  const user = id > 0 ? await WebsiteUserModel.findOne({ id }).lean<StoredWebsiteUser | null>() : null;
  if (!user) throw new ContentError('rest_comment_author_invalid', 'Invalid comment author ID.', 400);
  return user;
}

function addressOf(given: string | undefined, { caller, client }: ContentContext): string {
  if (given !== undefined && may(caller, 'moderate_comments')) return given;
  return isIP(client.ip) === 0 ? '127.0.0.1' : client.ip;
}
