import { createHash } from 'node:crypto';

import mongoose from 'mongoose';

import { collectionOptions } from '../../models/collection-options.ts';

import { VERSION_PATH, type Versioned, versionWrites } from './versions.ts';

/** The states of a comment, as the content interface names them. */
export const COMMENT_STATUSES = ['approved', 'hold', 'spam', 'trash', 'post-trashed'] as const;

/** One of {@link COMMENT_STATUSES}. */
export type CommentStatus = (typeof COMMENT_STATUSES)[number];

/** A comment as stored. */
export interface StoredComment extends Versioned {
  readonly id: number;
  /** Id of the post that it is about. */
  readonly post: number;
  /** Id of the comment that it answers, 0 for none. */
  readonly parent: number;
  /** Id of the website user who wrote it, 0 for a visitor. */
  readonly author: number;
  readonly author_name: string;
  readonly author_email: string;
  readonly author_url: string;
  readonly author_ip: string;
  readonly author_user_agent: string;
  /** `YYYY-MM-DDThh:mm:ss` in the site's time zone. */
  readonly date: string;
  /** The same in GMT. */
  readonly date_gmt: string;
  /** HTML as it was written. */
  readonly content: string;
  readonly status: CommentStatus;
  /** Status before it became spam or trash, or its post did; null for a comment that is none of these. */
  readonly status_before: CommentStatus | null;
  readonly type: string;
  /** As it was written, see {@link duplicateKeyOf}; absent once it is changed or in the trash, and may be said again. */
  readonly duplicate_key?: string;
  /** Moments in which nobody else of the same name may write, see {@link floodKeysOf}; absent for moderators. */
  readonly flood_keys?: readonly string[];
}

/** Seconds between two comments of somebody who does not moderate. */
export const FLOOD_SECONDS = 15;

/**
 * Keys of which no two comments may have the same, for comments that follow each other at once. Time is parted twice into
 * stretches as long as the least distance, half a stretch apart: comments less than half of it apart share one of the two,
 * and those that are far enough apart share none.
 *
 * @param user website user who sends the comment
 */
export function floodKeysOf(
  user: number,
  { author_email: email, date_gmt }: Pick<StoredComment, 'author_email' | 'date_gmt'>,
): string[] {
  const seconds = Date.parse(`${date_gmt}Z`) / 1000;
  const stretches = [seconds / FLOOD_SECONDS, seconds / FLOOD_SECONDS + 0.5].map(Math.floor);
  const writers = [`user ${user}`, ...(email === '' ? [] : [`email ${email}`])];
  return writers.flatMap((writer) => stretches.map((stretch, at) => hashOf([writer, at, stretch])));
}

/** Key of which no two comments may have the same: the same text by the same person in the same place. */
export function duplicateKeyOf(
  comment: Pick<StoredComment, 'post' | 'parent' | 'author_name' | 'author_email' | 'content'>,
): string {
  const { post, parent, author_name, author_email, content } = comment;
  return hashOf([post, parent, author_name, author_email, content]);
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const text = { type: String, default: '' } as const;
const number = { type: Number, default: 0 } as const;
const schema = new mongoose.Schema<StoredComment>(
  {
    id: { type: Number, required: true },
    post: number,
    parent: number,
    author: number,
    author_name: text,
    author_email: text,
    author_url: text,
    author_ip: text,
    author_user_agent: text,
    date: { type: String, required: true },
    date_gmt: { type: String, required: true },
    content: text,
    status: { type: String, enum: COMMENT_STATUSES, required: true },
    status_before: { type: String, default: null },
    type: { type: String, default: 'comment' },
    duplicate_key: { type: String },
    flood_keys: { type: [String], default: undefined },
    ...VERSION_PATH,
  },
  { ...collectionOptions('comments'), id: false },
);
schema.index({ id: 1 }, { unique: true });
schema.index({ status: 1, date_gmt: -1, id: -1 });
schema.index({ post: 1, status: 1, date_gmt: -1 });
schema.index({ parent: 1, status: 1 });
schema.index({ author: 1, date_gmt: -1 });
schema.index({ author_email: 1, date_gmt: -1 });
schema.index({ duplicate_key: 1 }, { unique: true, sparse: true });
schema.index({ flood_keys: 1 }, { unique: true, sparse: true });

versionWrites(schema);

/** Comments on the website's posts, pages and media. */
export const CommentModel = mongoose.model<StoredComment>('Comment', schema);
