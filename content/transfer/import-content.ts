import { changingContent } from '../caching/changing-content.ts';
import { CommentStore } from '../models/comment.ts';
import { ContentItemStore, slugKeysOf } from '../models/content-item.ts';
import { indexItem, ItemWordsStore } from '../models/item-words.ts';
import { continueAfter, SequenceStore } from '../models/sequence.ts';
import { clearSettingsCache, writeSettings } from '../models/site-settings.ts';
import { TermStore } from '../models/term.ts';
import { WebsiteUserStore } from '../models/website-user.ts';
import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import { literalPattern } from '../../models/literal-pattern.ts';
import { ownSlugOrFree } from '../items/free-slug.ts';
import { recountTerms } from '../items/pending/recount-terms.ts';
import { mediaStorage } from '../media/storage/media-storage.ts';

import { checkAgainstSite, checkDocument, checkReferences } from './check-document.ts';
import { type ContentDocument, readDocument } from './content-document.ts';
import type { ImportedItem } from './read-items.ts';
import type { ImportedUser } from './read-users.ts';
import { RecordReader } from './record-reader.ts';
import type { Service } from '../../models/store/service.ts';

/** Options of an import. */
export interface ImportOptions {
  /** Replaces all content; otherwise the file is merged, and replaces records with the same number. */
  readonly replace: boolean;
  /** Address of this site, which replaces the file's `base_url` in every text. No trailing slash. */
  readonly siteUrl: string;
}

/** Number of imported records of each kind. */
export type ImportCounts = Readonly<Record<'users' | 'terms' | 'items' | 'comments', number>>;

/**
 * Imports a file of content: users, terms, posts, pages, media, revisions, comments, settings, with their numbers.
 * Everything is checked before anything is written. Importing is idempotent, so an interrupted import is
 * finished by repeating it. A user whose secrets are missing from the file keeps them. `json` is the file, parsed.
 * @throws ImportError that names the record that is wrong; nothing is written then
 */
export async function importContent(
  service: Service,
  json: unknown,
  { replace, siteUrl }: ImportOptions,
): Promise<ImportCounts> {
  const oldSite = new RecordReader(json, 'The file').text('base_url').replace(/\/$/, '');
  const document = readDocument(moveAddresses(json, oldSite, siteUrl));
  checkDocument(document);
  await checkReferences(service, document, !replace);
  if (!replace) await checkAgainstSite(service, document);
  await changingContent(service, async () => {
    if (replace) await clearContent(service);
    await writeDocument(service, document);
  });
  const { users, terms, items, comments } = document;
  return { users: users.length, terms: terms.length, items: items.length, comments: comments.length };
}

/** Removes all content and users; dependent records are removed first. */
async function clearContent(service: Service): Promise<void> {
  await CommentStore.deleteMany(service, {});
  await ItemWordsStore.deleteMany(service, {});
  await ContentItemStore.deleteMany(service, {});
  await TermStore.deleteMany(service, {});
  await mediaStorage(service).clear();
  await WebsiteUserStore.deleteMany(service, {});
  await clearSettingsCache(service);
  await SequenceStore.deleteMany(service, {});
}

/** Sequences are written first, so that records that are created meanwhile take no number of the file. */
async function writeDocument(
  service: Service,
  { users, terms, items, comments, settings, sequences }: ContentDocument,
): Promise<void> {
  for (const [name, last] of sequences) await continueAfter(service, name, last);
  await writeSettings(service, settings);
  await inChunks(users, (user) => writeUser(service, user));
  await inChunks(terms, ({ term }) =>
    TermStore.updateOne(service, { id: term.id }, { $set: term, $unset: { name_key: 1 } }, { upsert: true }),
  );
  await writeItems(service, items);
  await countPosts(service);
  await inChunks(comments, ({ comment }) =>
    CommentStore.replaceOne(service, { id: comment.id }, { ...comment, version: newKey() }, { upsert: true }),
  );
}

/** Writes items. Of two in the file with the same slug in the same place, the later one gets the next free slug. */
async function writeItems(service: Service, items: readonly ImportedItem[]): Promise<void> {
  const taken = new Set<string>();
  const firsts: ImportedItem[] = [];
  const others: ImportedItem[] = [];
  for (const imported of items) {
    const keys = slugKeysOf(imported.item) ?? [];
    (keys.some((key) => taken.has(key)) ? others : firsts).push(imported);
    for (const key of keys) taken.add(key);
  }
  const ids = items.map(({ item }) => item.id);
  await ContentItemStore.updateMany(service, { id: { $in: ids } }, { $unset: { slug_keys: 1 } });
  await inChunks(firsts, (first) => writeItem(service, first));
  for (const imported of others) await writeItem(service, imported);
}

async function writeUser(service: Service, { user, secrets }: ImportedUser): Promise<void> {
  await WebsiteUserStore.updateOne(
    service,
    { id: user.id },
    { $set: { ...user, ...(await secrets()) } },
    { upsert: true },
  );
}

/**
 * The bytes are written before the record that names them; a file is never replaced, so another one at its path is removed
 * first.
 */
async function writeItem(service: Service, { item, files }: ImportedItem): Promise<void> {
  for (const { path, type, bytes } of files) {
    await mediaStorage(service).remove([path]);
    await mediaStorage(service).store(path, type, bytes);
  }
  await indexItem(service, item);
  for await (const slug of ownSlugOrFree(service, item)) {
    const slug_keys = slugKeysOf({ ...item, slug });
    const stored = { ...item, slug, version: newKey(), ...(slug_keys ? { slug_keys } : {}) };
    const write = () => ContentItemStore.replaceOne(service, { id: item.id }, stored, { upsert: true });
    if (await insertIfAbsent(write, 'slug_keys')) return;
  }
}

/** Counts the published posts of every term. */
async function countPosts(service: Service): Promise<void> {
  const terms = await TermStore.find(service, {}, { id: 1 });
  await inChunks(terms, ({ id }) => recountTerms(service, [id]));
}

/** Number of documents written together, so that the database makes them durable together. */
const CHUNK = 200;

async function inChunks<T>(values: readonly T[], work: (value: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < values.length; at += CHUNK) {
    await Promise.all(values.slice(at, at + CHUNK).map(work));
  }
}

/** Replaces the address of a site by another in all texts of a JSON value, but not hosts that begin with it. */
function moveAddresses(value: unknown, from: string, to: string): unknown {
  if (from === '' || from === to) return value;
  const address = new RegExp(`${literalPattern(from)}(?![\\w:-]|\\.\\w)`, 'g');
  const move = (member: unknown): unknown => {
    if (typeof member === 'string') return member.replace(address, () => to);
    if (Array.isArray(member)) return member.map(move);
    if (typeof member !== 'object' || member === null) return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [name, move(inner)]));
  };
  return move(value);
}
