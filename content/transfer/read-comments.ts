import { COMMENT_STATUSES, type StoredComment } from '../models/comment.ts';

import type { RecordReader } from './record-reader.ts';

/** A comment of a file. */
export interface ImportedComment {
  readonly where: string;
  readonly comment: StoredComment;
}

/** The comments of a file. */
export function readComments(document: RecordReader): ImportedComment[] {
  return document.records('comments').map((reader) => ({ where: reader.where, comment: readComment(reader) }));
}

function readComment(reader: RecordReader): StoredComment {
  const status = reader.choice('status', COMMENT_STATUSES, 'approved');
  return {
    id: reader.id(),
    post: reader.integer('post'),
    parent: reader.integer('parent'),
    author: reader.integer('author'),
    author_name: reader.text('author_name'),
    author_email: reader.text('author_email'),
    author_url: reader.text('author_url'),
    author_ip: reader.text('author_ip'),
    author_user_agent: reader.text('author_user_agent'),
    date: reader.date('date'),
    date_gmt: reader.date('date_gmt'),
    content: reader.written('content'),
    status,
    status_before:
      status === 'approved' || status === 'hold' ? null : reader.choice('status_before', COMMENT_STATUSES, 'approved'),
    type: reader.text('type', 'comment'),
  };
}
