import { CONTENT_KINDS, kindOf } from '../schema/kinds/content-kinds.ts';
import { foldText, type ItemType, type StoredItem } from '../models/content-item.ts';

import type { RecordReader } from './record-reader.ts';

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'inherit', 'auto-draft'] as const;
const OPEN_OR_CLOSED = ['open', 'closed'] as const;
const UPLOADS = '/wp-content/uploads/';

/** A file of an attachment: the upload itself, or a scaled copy. */
export interface ImportedFile {
  /** Below the uploads. */
  readonly path: string;
  /** MIME type. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** A post, page, attachment or revision of a file, with those files of an attachment that are in it. */
export interface ImportedItem {
  readonly where: string;
  readonly item: StoredItem;
  readonly files: readonly ImportedFile[];
}

/** Types of items by the names of their lists. */
export const ITEM_LISTS: ReadonlyMap<string, ItemType> = new Map([
  ...CONTENT_KINDS.map(({ many, type }) => [many, type] as const),
  ['revisions', 'revision'],
]);

/** Reads a post, page, attachment or revision of a file. */
export function readImportedItem(reader: RecordReader, type: ItemType): ImportedItem {
  const item = readItem(reader, type);
  return { where: reader.where, item, files: kindOf(type)?.isUploaded ? readFiles(reader, item) : [] };
}

function readItem(reader: RecordReader, type: ItemType): StoredItem {
  const title = reader.written('title');
  const { isUploaded, defaultFormat } = kindOf(type) ?? { isUploaded: false, defaultFormat: '' };
  const inherits = isUploaded || type === 'revision';
  const status = reader.choice('status', STATUSES, inherits ? 'inherit' : 'publish');
  const slug = reader.text('slug');
  const isTrashed = status === 'trash';
  // A revision has neither.
  const openness = (name: string) => (type === 'revision' ? '' : reader.choice(name, OPEN_OR_CLOSED, 'closed'));
  return {
    id: reader.id(),
    type,
    status,
    date: reader.date('date'),
    date_gmt: reader.has('date_gmt') ? reader.date('date_gmt') : null,
    modified: reader.date('modified'),
    modified_gmt: reader.date('modified_gmt'),
    slug,
    guid: reader.written('guid'),
    title,
    title_folded: foldText(title),
    content: reader.written(isUploaded ? 'description' : 'content'),
    excerpt: reader.written(isUploaded ? 'caption' : 'excerpt'),
    author: reader.integer('author'),
    parent: reader.integer(isUploaded ? 'post' : 'parent'),
    menu_order: reader.integer('menu_order'),
    password: reader.text('password'),
    comment_status: openness('comment_status'),
    ping_status: openness('ping_status'),
    template: reader.text('template'),
    format: defaultFormat && reader.text('format', defaultFormat),
    sticky: reader.boolean('sticky'),
    featured_media: reader.integer('featured_media'),
    categories: reader.numbers('categories'),
    tags: reader.numbers('tags'),
    // Published if the file does not name the earlier status, since that requires the most rights to change.
    status_before_trash: isTrashed ? reader.choice('status_before_trash', STATUSES, 'publish') : null,
    slug_before_trash: isTrashed ? reader.text('slug_before_trash', slug.replace(/__trashed(?:-\d+)?$/, '')) : null,
    mime_type: reader.text('mime_type'),
    alt_text: reader.text('alt_text'),
    file: isUploaded ? safePath(reader, reader.text('source_url').split(UPLOADS)[1] ?? '') : '',
    former_paths: reader.texts('former_paths'),
    media_details: isUploaded ? detailsOf(reader) : {},
  };
}

/** The stored details of a file; addresses and the full size are computed when they are shown. */
function detailsOf(reader: RecordReader): StoredItem['media_details'] {
  const details = reader.inner('media_details');
  if (!details.has('sizes')) return Object.fromEntries(details.entries());
  const sizes = details.inner('sizes');
  const names = sizes.entries().flatMap(([name]) => (name === 'full' ? [] : [name]));
  const stored = names.map((name) => {
    const { source_url: _, ...size } = Object.fromEntries(sizes.inner(name).entries());
    return [name, size];
  });
  return { ...Object.fromEntries(details.entries()), sizes: Object.fromEntries(stored) };
}

/** The bytes of the upload, `file_base64`, and of its sizes, `size_files` by their names. */
function readFiles(reader: RecordReader, { file, mime_type }: StoredItem): ImportedFile[] {
  const upload = reader.has('file_base64')
    ? [{ path: file, type: mime_type, bytes: bytesOf(reader, 'file_base64') }]
    : [];
  const sizes = reader.inner('media_details').inner('sizes');
  const encoded = reader.inner('size_files');
  const scaled = encoded.entries().map(([name]) => {
    const size = sizes.inner(name);
    const path = safePath(size, `${file.slice(0, file.lastIndexOf('/') + 1)}${size.needed('file')}`);
    return { path, type: size.text('mime_type', mime_type), bytes: bytesOf(encoded, name) };
  });
  return [...upload, ...scaled];
}

function safePath(reader: RecordReader, path: string): string {
  if (/(?:^|\/)\.{0,2}(?:\/|$)|[\\\0]/.test(path) && path !== '')
    reader.reject('the path of a file must be below the uploads folder');
  return path;
}

function bytesOf(reader: RecordReader, name: string): Buffer {
  const encoded = reader.text(name);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) reader.reject(`${name} must be base64`);
  return Buffer.from(encoded, 'base64');
}
