import { COMMENT_STATUSES, type StoredComment } from '../models/comment.ts';
import { foldText } from '../models/content-item.ts';
import type { SequenceName } from '../models/sequence.ts';
import { DEFAULT_SETTINGS, type ImageSizeName, type StoredSettings } from '../models/site-settings.ts';
import type { StoredTerm } from '../models/term.ts';
import { type Taxonomy, TERM_KINDS } from '../schema/kinds/term-kinds.ts';

import { ITEM_LISTS } from './read-items.ts';
import { type ImportedUser, readUsers } from './read-users.ts';
import { RecordReader } from './record-reader.ts';

/** Names of the sequences in `next_ids` of a file. */
export const NEXT_ID_NAMES: Readonly<Record<SequenceName, string>> = {
  items: 'posts/pages/media/revisions (one shared sequence)',
  terms: 'categories/tags (one shared sequence)',
  users: 'users',
  comments: 'comments',
};

const UNPUBLISHED = ['uploads_use_yearmonth_folders', 'image_sizes'];
const SIZES: readonly ImageSizeName[] = ['thumbnail', 'medium', 'medium_large', 'large'];

/** Settings that a file names; null for one that has been reset. */
type ImportedSettings = { readonly [K in keyof StoredSettings]?: StoredSettings[K] | null };

/** The parsed content of a file, without its long lists. */
export interface ContentDocument {
  readonly users: readonly ImportedUser[];
  /** Categories and tags; how many posts have them is counted after the import. */
  readonly terms: readonly { readonly where: string; readonly term: Omit<StoredTerm, 'count'> }[];
  readonly settings: ImportedSettings;
  /** The last number that each sequence has assigned. */
  readonly sequences: readonly (readonly [SequenceName, number])[];
}

/** Names of the lists of a file that may be long. */
export const LONG_LISTS: ReadonlySet<string> = new Set([...ITEM_LISTS.keys(), 'comments']);

/** Facts about the long lists of a file. */
export interface ListFacts {
  /** The highest numbers in them. */
  readonly highest: Readonly<Record<'items' | 'comments', number>>;
  /** The sizes of its images; null if it has no images. */
  readonly sizes: ReadonlySet<string> | null;
}

/**
 * Reads a file of content, without its long lists.
 *
 * @throws ImportError if a record is not valid by itself
 */
export function readDocument(head: unknown, { highest, sizes }: ListFacts): ContentDocument {
  const reader = new RecordReader(head, 'The file');
  for (const name of LONG_LISTS) reader.list(name);
  const users = readUsers(reader);
  const terms = TERM_KINDS.flatMap(({ many, taxonomy }) =>
    reader.records(many).map((entry) => ({ where: entry.where, term: readTerm(entry, taxonomy) })),
  );
  const sequences = sequenceEnds(reader, {
    users: users.map(({ user }) => user.id),
    terms: terms.map(({ term }) => term.id),
    items: [highest.items],
    comments: [highest.comments],
  });
  return { users, terms, settings: readImportedSettings(reader, sizes), sequences };
}

function readTerm(reader: RecordReader, taxonomy: Taxonomy): Omit<StoredTerm, 'count'> {
  const name = reader.needed('name');
  return {
    id: reader.id(),
    taxonomy,
    name,
    name_folded: foldText(name),
    slug: reader.needed('slug'),
    description: reader.text('description'),
    parent: taxonomy === 'category' ? reader.integer('parent') : 0,
  };
}

/** Reads a comment of a file. */
export function readComment(reader: RecordReader): StoredComment {
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

/** The last number that each sequence of a file has assigned: by `next_ids`, at least the highest number in the file. */
function sequenceEnds(
  document: RecordReader,
  ids: Readonly<Record<SequenceName, readonly number[]>>,
): readonly (readonly [SequenceName, number])[] {
  const next = document.inner('next_ids');
  return (Object.keys(ids) as SequenceName[]).map((name) => {
    const highest = ids[name].reduce((high, id) => Math.max(high, id), 0);
    return [name, Math.max(highest, next.integer(NEXT_ID_NAMES[name]) - 1)];
  });
}

/** The settings of a file, published and unpublished; its address is omitted, since SITE_URL sets that. */
function readImportedSettings(document: RecordReader, sizes: ListFacts['sizes']): ImportedSettings {
  const settings = document.inner('settings');
  const published = settings.entries().flatMap(([name, value]) => {
    if (!Object.hasOwn(DEFAULT_SETTINGS, name) || UNPUBLISHED.includes(name)) return [];
    const wanted = typeof DEFAULT_SETTINGS[name as keyof StoredSettings];
    const isRight = value === null || typeof value === wanted;
    return isRight ? [[name, value]] : settings.reject(`${name} must be a ${wanted}`);
  });
  const options = document.inner('options_not_in_settings');
  const byMonth = options.has('uploads_use_yearmonth_folders')
    ? { uploads_use_yearmonth_folders: options.integer('uploads_use_yearmonth_folders') !== 0 }
    : {};
  return { ...Object.fromEntries(published), ...byMonth, ...imageSizes(options, sizes) };
}

/** The sizes that the file names, or those of its images; empty if it has no images. */
function imageSizes(options: RecordReader, sizes: ListFacts['sizes']): { readonly image_sizes?: ImageSizeName[] } {
  const names = options.has('image_sizes') ? new Set(options.texts('image_sizes')) : sizes;
  return names === null ? {} : { image_sizes: SIZES.filter((size) => names.has(size)) };
}
