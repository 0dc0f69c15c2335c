import { changingContent } from '../caching/changing-content.ts';
import { CommentStore, type StoredComment } from '../models/comment.ts';
import { ContentItemStore, slugKeysOf, type StoredItem } from '../models/content-item.ts';
import { indexItems, ItemWordsStore } from '../models/item-words.ts';
import { continueAfter, SequenceStore } from '../models/sequence.ts';
import { clearSettingsCache, writeSettings } from '../models/site-settings.ts';
import { TermStore } from '../models/term.ts';
import { WebsiteUserStore } from '../models/website-user.ts';
import { insertIfAbsent, insertMissing } from '../../models/store/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import { literalPattern } from '../../models/literal-pattern.ts';
import { ownSlugOrFree } from '../items/free-slug.ts';
import { recountTerms } from '../items/pending/recount-terms.ts';
import { mediaStorage } from '../media/storage/media-storage.ts';

import { checkAgainstSite, checkDocument, findLost } from './check-document.ts';
import { type ContentDocument, LONG_LISTS, readDocument } from './content-document.ts';
import { membersOf } from './json-members.ts';
import { NumberSet } from './number-set.ts';
import type { ImportedItem } from './read-items.ts';
import { type ContentSource, placeOf, readContents, readRecords } from './read-lists.ts';
import type { ImportedUser } from './read-users.ts';
import { ImportError, RecordReader } from './record-reader.ts';
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
 * Everything is checked before anything is written: the document is read twice, a record at a time. Importing is idempotent,
 * so an interrupted import is finished by repeating it. A user whose secrets are missing from the file keeps them.
 *
 * @param content the file, parsed, or its members
 * @param onProgress is told how many of all long records are written
 * @throws ImportError that names the record that is wrong; nothing is written then
 */
export async function importContent(
  service: Service,
  content: unknown,
  { replace, siteUrl }: ImportOptions,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<ImportCounts> {
  if (typeof content !== 'function') new RecordReader(content, 'The file');
  const source = typeof content === 'function' ? (content as ContentSource) : () => membersOf(content, LONG_LISTS);
  const { head, items, comments, wanted, sizes } = await readContents(source);
  const oldSite = new RecordReader(head, 'The file').text('base_url').replace(/\/$/, '');
  const move = moverOf(oldSite, siteUrl);
  const document = readDocument(move(head), { highest: { items: items.highest, comments: comments.highest }, sizes });
  checkDocument(document);
  for (const ids of wanted.chunks(MANY, items)) {
    const lost = replace ? ids[0] : await findLost(service, ids);
    if (lost === undefined) continue;
    const where = await placeOf(source, ({ post }) => post === lost);
    throw new ImportError(`${where}: there is no post ${lost}`);
  }
  if (!replace) await checkAgainstSite(service, document);
  const all = items.size + comments.size;
  await changingContent(service, async () => {
    if (replace) await clearContent(service);
    else await freeSlugKeys(service, items);
    await writeDocument(service, document);
    await writeLists(service, source, move, (done) => onProgress(done, all));
    await countPosts(service);
  });
  return { users: document.users.length, terms: document.terms.length, items: items.size, comments: comments.size };
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

/** Lets the items that are to be replaced give up their slugs. */
async function freeSlugKeys(service: Service, items: NumberSet): Promise<void> {
  for (const ids of items.chunks(MANY)) {
    await ContentItemStore.updateMany(service, { id: { $in: ids } }, { $unset: { slug_keys: 1 } });
  }
}

/** Sequences are written first, so that records that are created meanwhile take no number of the file. */
async function writeDocument(service: Service, { users, terms, settings, sequences }: ContentDocument): Promise<void> {
  for (const [name, last] of sequences) await continueAfter(service, name, last);
  await writeSettings(service, settings);
  await inChunks(users, (user) => writeUser(service, user));
  await inChunks(terms, ({ term }) =>
    TermStore.updateOne(service, { id: term.id }, { $set: term, $unset: { name_key: 1 } }, { upsert: true }),
  );
}

/**
 * Writes the long lists. Of two items of the file with the same slug in the same place, the later one gets the next free slug,
 * when all others have theirs.
 */
async function writeLists(
  service: Service,
  source: ContentSource,
  move: (value: unknown) => unknown,
  onProgress: (done: number) => void,
): Promise<void> {
  let done = 0;
  let items: StoredItem[] = [];
  let comments: StoredComment[] = [];
  const late = new NumberSet();
  const known = new Set<string>();
  const flush = async () => {
    for (const { id } of await writeItems(service, items, known)) late.add(id);
    await writeComments(service, comments);
    done += items.length + comments.length;
    [items, comments] = [[], []];
    onProgress(done);
  };
  for await (const { item, comment } of readRecords(source, move)) {
    if (comment) comments.push(comment);
    if (item) {
      await writeFiles(service, item);
      items.push(item.item);
    }
    if (items.length + comments.length >= CHUNK) await flush();
  }
  await flush();
  if (late.size === 0) return;
  for await (const { item } of readRecords(source, move)) {
    if (item && late.has(item.item.id)) await writeItem(service, item.item);
  }
}

/**
 * Writes items together; returns those whose slugs are taken. Items that are stored already are replaced one by one.
 *
 * @param known words that are stored, see {@link indexItems}
 */
async function writeItems(service: Service, items: readonly StoredItem[], known: Set<string>): Promise<StoredItem[]> {
  if (items.length === 0) return [];
  await indexItems(service, items, known);
  const found = await ContentItemStore.find(service, { id: { $in: items.map(({ id }) => id) } }, { _id: 0, id: 1 });
  const stored = new Set(found.map(({ id }) => id));
  const added = items.filter(({ id }) => !stored.has(id)).map((item) => withKeys(item, item.slug));
  const insert = () => ContentItemStore.insertMany(service, added, { ordered: false, lean: true });
  const rejected = added.length === 0 ? new Set<number>() : await insertMissing(insert);
  const taken = new Set([...rejected].map((place) => added[place]?.id));
  const replaced = await Promise.all(
    items
      .filter(({ id }) => stored.has(id))
      .map(async (item) => ((await replaceItem(service, withKeys(item, item.slug))) ? null : item)),
  );
  return [...items.filter(({ id }) => taken.has(id)), ...replaced.filter((item) => item !== null)];
}

async function writeComments(service: Service, comments: readonly StoredComment[]): Promise<void> {
  if (comments.length === 0) return;
  const versioned = comments.map((comment) => ({ ...comment, version: newKey() }));
  const stored = await insertMissing(() => CommentStore.insertMany(service, versioned, { ordered: false, lean: true }));
  for (const place of stored) {
    const comment = comments[place];
    const again = comment && { ...comment, version: newKey() };
    if (again) await CommentStore.replaceOne(service, { id: again.id }, again, { upsert: true });
  }
}

async function writeUser(service: Service, { user, secrets }: ImportedUser): Promise<void> {
  await WebsiteUserStore.updateOne(
    service,
    { id: user.id },
    { $set: { ...user, ...(await secrets()) } },
    { upsert: true },
  );
}

/** The bytes are written before the record that names them; a file is never replaced, so another one at its path is removed first. */
async function writeFiles(service: Service, { files }: ImportedItem): Promise<void> {
  for (const { path, type, bytes } of files) {
    await mediaStorage(service).remove([path]);
    await mediaStorage(service).store(path, type, bytes);
  }
}

/** Writes an item under the first slug that is free. */
async function writeItem(service: Service, item: StoredItem): Promise<void> {
  for await (const slug of ownSlugOrFree(service, item)) if (await replaceItem(service, withKeys(item, slug))) return;
}

function replaceItem(service: Service, item: StoredItem): Promise<boolean> {
  const replace = () => ContentItemStore.replaceOne(service, { id: item.id }, item, { upsert: true });
  return insertIfAbsent(replace, 'slug_keys');
}

function withKeys(item: StoredItem, slug: string): StoredItem {
  const slug_keys = slugKeysOf({ ...item, slug });
  return { ...item, slug, version: newKey(), ...(slug_keys ? { slug_keys } : {}) };
}

/** Counts the published posts of every term. */
async function countPosts(service: Service): Promise<void> {
  const terms = await TermStore.find(service, {}, { id: 1 });
  await inChunks(terms, ({ id }) => recountTerms(service, [id]));
}

/** Number of documents written together, so that the database makes them durable together. */
const CHUNK = 50;
/** Number of items that one command names. */
const MANY = 5000;

async function inChunks<T>(values: readonly T[], work: (value: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < values.length; at += CHUNK) {
    await Promise.all(values.slice(at, at + CHUNK).map(work));
  }
}

/** Makes the function that replaces the address of a site by another in all texts of a JSON value, but not hosts that begin with it. */
function moverOf(from: string, to: string): (value: unknown) => unknown {
  if (from === '' || from === to) return (value) => value;
  const address = new RegExp(`${literalPattern(from)}(?![\\w:-]|\\.\\w)`, 'g');
  const move = (member: unknown): unknown => {
    if (typeof member === 'string') return member.replace(address, () => to);
    if (Array.isArray(member)) return member.map(move);
    if (typeof member !== 'object' || member === null) return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [name, move(inner)]));
  };
  return move;
}
