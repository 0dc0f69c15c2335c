import type { SequenceName } from '../models/sequence.ts';

import { type ImportedComment, readComments } from './read-comments.ts';
import { type ImportedItem, readItems } from './read-items.ts';
import { type ImportedSettings, readImportedSettings } from './read-settings.ts';
import { type ImportedTerm, readTerms } from './read-terms.ts';
import { type ImportedUser, readUsers } from './read-users.ts';
import { RecordReader } from './record-reader.ts';
import { sequenceEnds } from './sequence-ends.ts';

/** A file of content, read. */
export interface ContentDocument {
  readonly users: readonly ImportedUser[];
  readonly terms: readonly ImportedTerm[];
  readonly items: readonly ImportedItem[];
  readonly comments: readonly ImportedComment[];
  readonly settings: ImportedSettings;
  /** The last number that each sequence has assigned. */
  readonly sequences: readonly (readonly [SequenceName, number])[];
}

/** Reads a file of content. @throws ImportError where a record is not valid by itself */
export function readDocument(json: unknown): ContentDocument {
  const reader = new RecordReader(json, 'The file');
  const users = readUsers(reader);
  const terms = readTerms(reader);
  const items = readItems(reader);
  const comments = readComments(reader);
  const sequences = sequenceEnds(reader, {
    users: users.map(({ user }) => user.id),
    terms: terms.map(({ term }) => term.id),
    items: items.map(({ item }) => item.id),
    comments: comments.map(({ comment }) => comment.id),
  });
  return { users, terms, items, comments, settings: readImportedSettings(reader), sequences };
}
