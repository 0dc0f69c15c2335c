import type { StoredComment } from '../models/comment.ts';

import { readComment } from './content-document.ts';
import type { Member } from './json-members.ts';
import { NumberSet } from './number-set.ts';
import { ITEM_LISTS, type ImportedItem, readImportedItem } from './read-items.ts';
import { ImportError, RecordReader } from './record-reader.ts';

/** A document, whose members can be read more than once. */
export type ContentSource = () => AsyncIterable<Member>;

/** A record of a long list: an item or a comment. */
interface ListRecord {
  readonly where: string;
  readonly list: 'items' | 'comments';
  readonly id: number;
  /** Number of the post without which a comment or a revision is nothing; 0 for none. */
  readonly post: number;
  readonly item?: ImportedItem;
  readonly comment?: StoredComment;
}

/** Facts about a document, which are small whatever its size, but for the members that are no long lists. */
interface Contents {
  readonly head: Readonly<Record<string, unknown>>;
  readonly items: NumberSet;
  readonly comments: NumberSet;
  /** Numbers of posts to which records refer. */
  readonly wanted: NumberSet;
  /** Sizes of the images; null if there are no images. */
  readonly sizes: ReadonlySet<string> | null;
}

/** Reads the records of the long lists, one after the other. Other members are added to `head`. */
export async function* readRecords(
  source: ContentSource,
  move: (value: unknown) => unknown = (value) => value,
  head: Record<string, unknown> = {},
): AsyncGenerator<ListRecord> {
  for await (const { name, value, at } of source()) {
    const type = ITEM_LISTS.get(name);
    if (at === null) head[name] = value;
    else if (type === undefined) {
      const reader = RecordReader.of(move(value), name, at);
      const comment = readComment(reader);
      yield { where: reader.where, list: 'comments', id: comment.id, post: comment.post, comment };
    } else {
      const item = readImportedItem(RecordReader.of(move(value), name, at), type);
      const { id, parent } = item.item;
      yield { where: item.where, list: 'items', id, post: type === 'revision' ? parent : 0, item };
    }
  }
}

/**
 * Checks the records of the long lists by themselves, and collects facts about the document.
 *
 * @throws ImportError if a record is not valid, or has the number of another
 */
export async function readContents(source: ContentSource): Promise<Contents> {
  const head: Record<string, unknown> = {};
  const ids = { items: new NumberSet(), comments: new NumberSet() };
  const wanted = new NumberSet();
  const sizes = new Set<string>();
  let hasImages = false;
  for await (const { where, list, id, post, item } of readRecords(source, undefined, head)) {
    if (!ids[list].add(id)) {
      const other = await placeOf(source, (one) => one.list === list && one.id === id);
      throw new ImportError(`${where}: id is the same as that of ${other}`);
    }
    if (post !== 0) wanted.add(post);
    const ofImage = item?.item.media_details.sizes;
    if (!ofImage) continue;
    hasImages = true;
    for (const name of Object.keys(ofImage)) sizes.add(name);
  }
  return { head, ...ids, wanted, sizes: hasImages ? sizes : null };
}

/** Place of the first record of which a condition holds: it is looked for again, so that no places are remembered. */
export async function placeOf(source: ContentSource, holds: (record: ListRecord) => boolean): Promise<string> {
  for await (const record of readRecords(source)) if (holds(record)) return record.where;
  return 'The file';
}
