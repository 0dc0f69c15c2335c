import { createHash } from 'node:crypto';

import { VERSION_PATH, VERSIONED } from './versions.ts';
import { absent, nullable, NUMBER, required, schemaOf, type StoredOf, TEXT, withDefault } from './stored-paths.ts';
import { PlainStore } from '../../models/store/plain-store.ts';

/** The states of a comment, as the content interface names them. */
export const COMMENT_STATUSES = ['approved', 'hold', 'spam', 'trash', 'post-trashed'] as const;

/** One of {@link COMMENT_STATUSES}. */
export type CommentStatus = (typeof COMMENT_STATUSES)[number];

const PATHS = {
  id: required<number>(Number),
  /** Id of the post that it is about. */
  post: NUMBER,
  /** Id of the comment to which it replies, 0 if there is none. */
  parent: NUMBER,
  /** Id of the website user who wrote it, 0 for a visitor. */
  author: NUMBER,
  author_name: TEXT,
  author_email: TEXT,
  author_url: TEXT,
  author_ip: TEXT,
  author_user_agent: TEXT,
  /** `YYYY-MM-DDThh:mm:ss` in the site's time zone. */
  date: required<string>(String),
  /** The same in GMT. */
  date_gmt: required<string>(String),
  /** HTML as it was written. */
  content: TEXT,
  status: required<CommentStatus>(String, COMMENT_STATUSES),
  /** Status before it became spam or trash, or its post did; null for other comments. */
  status_before: nullable<CommentStatus>(String),
  type: withDefault<string>(String, 'comment'),
  /** As it was written, see {@link duplicateKeyOf}; absent if changed or in the trash, when its text may be reposted. */
  duplicate_key: absent<string>(String),
  /** Periods in which the same sender may not write again, see {@link floodKeysOf}; absent for moderators. */
  flood_keys: absent<readonly string[]>([String]),
  ...VERSION_PATH,
};

/** A comment as stored. */
export type StoredComment = StoredOf<typeof PATHS>;

/** Minimum seconds between two comments of a sender who is not a moderator. */
export const FLOOD_SECONDS = 15;

/**
 * Unique keys that reject comments in quick succession. Time is divided twice into
 * periods as long as the minimum distance, offset by half a period: comments less than half of it apart share one of the two,
 * and those that are far enough apart share none.
 *
 * @param writer sender of the comment: `user 7`, or `address 192.0.2.1` for a visitor
 */
export function floodKeysOf(
  writer: string,
  { author_email: email, date_gmt }: Pick<StoredComment, 'author_email' | 'date_gmt'>,
): string[] {
  const seconds = Date.parse(`${date_gmt}Z`) / 1000;
  const stretches = [seconds / FLOOD_SECONDS, seconds / FLOOD_SECONDS + 0.5].map(Math.floor);
  const names = [writer, ...(email === '' ? [] : [`email ${email}`])];
  return names.flatMap((name) => stretches.map((stretch, at) => hashOf([name, at, stretch])));
}

/** Unique key of a comment: the same text by the same person in the same place. */
export function duplicateKeyOf(
  comment: Pick<StoredComment, 'post' | 'parent' | 'author_name' | 'author_email' | 'content'>,
): string {
  const { post, parent, author_name, author_email, content } = comment;
  return hashOf([post, parent, author_name, author_email, content]);
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const schema = schemaOf<StoredComment>('comments', PATHS, { id: false });
schema.index({ id: 1 }, { unique: true });
schema.index({ status: 1, date_gmt: -1, id: -1 });
schema.index({ post: 1, status: 1, date_gmt: -1 });
schema.index({ parent: 1, status: 1 });
schema.index({ author: 1, date_gmt: -1 });
schema.index({ author_email: 1, date_gmt: -1 });
schema.index({ duplicate_key: 1 }, { unique: true, sparse: true });
schema.index({ flood_keys: 1 }, { unique: true, sparse: true });

/** Comments on the website's posts, pages and media. */
export const CommentStore = new PlainStore<StoredComment>('Comment', schema, VERSIONED);
