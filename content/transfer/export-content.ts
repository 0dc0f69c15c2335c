import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { CommentStore, type StoredComment } from '../models/comment.ts';
import { ContentItemStore, type ItemType, type StoredItem } from '../models/content-item.ts';
import { SequenceStore } from '../models/sequence.ts';
import { readStoredSettings } from '../models/site-settings.ts';
import { TermStore } from '../models/term.ts';
import { CONTENT_KINDS, kindOf } from '../schema/kinds/content-kinds.ts';
import { type Taxonomy, TERM_KINDS } from '../schema/kinds/term-kinds.ts';
import { type StoredWebsiteUser, WebsiteUserStore } from '../models/website-user.ts';
import { mediaStorage } from '../media/storage/media-storage.ts';

import { NEXT_ID_NAMES } from './content-document.ts';
import type { Service } from '../../models/store/service.ts';

/** A list in the exported document, whose records are read one after the other. */
type Records = AsyncIterable<unknown>;

/**
 * All content of the website as the text of a JSON document, in pieces, in the format that an import reads: numbers,
 * hashes of passwords, bytes of uploads. Importing it with replacement gives the same website. `siteUrl` has no
 * trailing slash.
 */
export async function* exportContent(service: Service, siteUrl: string): AsyncGenerator<string> {
  let separator = '{\n';
  for (const [name, value] of members(service, siteUrl)) {
    yield `${separator}${JSON.stringify(name)}: `;
    yield* pieces(await value);
    separator = ',\n';
  }
  yield '\n}\n';
}

function members(service: Service, siteUrl: string): [name: string, value: unknown | Promise<unknown> | Records][] {
  return [
    ['about', 'Content of a Waybridge website, as "waybridge content import" reads it'],
    ['base_url', siteUrl],
    ['options_not_in_settings', unpublishedOptions(service)],
    ['settings', publishedSettings(service)],
    ['next_ids', nextIds(service)],
    ['credentials', records(WebsiteUserStore.find(service, {}).sort({ id: 1 }).cursor(), exportedCredentials)],
    ['users', records(WebsiteUserStore.find(service, {}).sort({ id: 1 }).cursor(), withoutInternal)],
    ...TERM_KINDS.map(({ many, taxonomy }): [string, Records] => [many, terms(service, taxonomy)]),
    ...CONTENT_KINDS.toReversed().map(({ many, type }): [string, Records] => [many, items(service, type, siteUrl)]),
    ['revisions', items(service, 'revision', siteUrl)],
    ['comments', records(CommentStore.find(service, {}).sort({ id: 1 }).cursor(), exportedComment)],
  ];
}

function terms(service: Service, taxonomy: Taxonomy): Records {
  return records(TermStore.find(service, { taxonomy }).sort({ id: 1 }).cursor(), withoutInternal);
}

function items(service: Service, type: ItemType, siteUrl: string): Records {
  const found = ContentItemStore.find(service, { type }).sort({ id: 1 }).cursor();
  return records(found, (item) => exportedItem(service, item, siteUrl));
}

async function* records<T>(found: AsyncIterable<T>, exported: (record: T) => unknown): Records {
  for await (const record of found) yield exported(record);
}

async function* pieces(value: unknown): AsyncGenerator<string> {
  if (!isRecords(value)) {
    yield JSON.stringify(value);
    return;
  }
  let separator = '[\n';
  for await (const record of value) {
    yield `${separator}${JSON.stringify(await record)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]' : '\n]';
}

function isRecords(value: unknown): value is Records {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function publishedSettings(service: Service): Promise<unknown> {
  const { uploads_use_yearmonth_folders: _, image_sizes: __, ...settings } = await readStoredSettings(service);
  return settings;
}

async function unpublishedOptions(service: Service): Promise<unknown> {
  const { uploads_use_yearmonth_folders: byMonth, image_sizes } = await readStoredSettings(service);
  return { uploads_use_yearmonth_folders: typeof byMonth === 'boolean' ? Number(byMonth) : null, image_sizes };
}

async function nextIds(service: Service): Promise<unknown> {
  const sequences = await SequenceStore.find(service, {});
  return Object.fromEntries(sequences.map(({ _id, last }) => [NEXT_ID_NAMES[_id], last + 1]));
}

/** The secrets of a user in an export: hashed. */
function exportedCredentials(user: StoredWebsiteUser): unknown {
  const { id, username: login, password_hash, application_passwords } = user;
  return { id, login, password_hash, application_passwords };
}

/** Stored fields that are not exported: an import derives them again. */
const INTERNAL: ReadonlySet<string> = new Set([
  ...['_id', 'version', 'username_folded', 'email_folded', 'password_hash', 'application_passwords'],
  ...['name_key', 'name_folded', 'duplicate_key', 'flood_keys', 'slug_keys', 'last_revision', 'title_folded'],
]);

function withoutInternal(record: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !INTERNAL.has(name)));
}

/** A comment in an export. */
function exportedComment({ content, ...comment }: StoredComment): unknown {
  return { ...withoutInternal(comment), content: { raw: content } };
}

/** A post, page, attachment or revision in an export, with the bytes of an attachment. */
async function exportedItem(service: Service, item: StoredItem, siteUrl: string): Promise<unknown> {
  const { guid, title, type, content, excerpt, parent, file, ...others } = item;
  const shown = { ...withoutInternal(others), guid: { raw: guid }, title: { raw: title }, type };
  if (!kindOf(type)?.isUploaded) {
    return { ...shown, parent, content: { raw: content }, excerpt: { raw: excerpt } };
  }
  return {
    ...shown,
    post: parent === 0 ? null : parent,
    description: { raw: content },
    caption: { raw: excerpt },
    source_url: `${siteUrl}/wp-content/uploads/${file}`,
    ...(await bytesOf(service, item)),
  };
}

async function bytesOf(service: Service, { file, media_details }: StoredItem): Promise<Record<string, unknown>> {
  const upload = await base64(service, file);
  const { sizes = {} } = media_details as { readonly sizes?: Readonly<Record<string, { readonly file: string }>> };
  const scaled = await Promise.all(
    Object.entries(sizes).map(async ([name, size]) => [
      name,
      await base64(service, posix.join(posix.dirname(file), size.file)),
    ]),
  );
  return {
    ...(upload === null ? {} : { file_base64: upload }),
    size_files: Object.fromEntries(scaled.filter(([, bytes]) => bytes !== null)),
  };
}

async function base64(service: Service, path: string): Promise<string | null> {
  const stored = path === '' ? null : await mediaStorage(service).find(path);
  return stored && (await buffer(stored.read())).toString('base64');
}
