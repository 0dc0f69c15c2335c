import mongoose, { type mongo } from 'mongoose';

import { newKey } from '../../key.ts';
import { changeEach, type OldDocument } from './change-each.ts';
import { dropIndex } from './drop-index.ts';
import type { Migration } from './migration.ts';

/** A tag as older programs stored it within a trip. */
interface OldTag {
  readonly key: string;
  readonly color: string | null;
  readonly value: string | null;
}

const TAGGED = { collection: 'trips', pending: { 'tags.0': { $exists: true } }, reads: ['tags'] } as const;

const obsolete = dropIndex(
  'trips',
  'vehicle_key_1_staged_1_duration_seconds_1_start_point.timestamp_1_end_point.timestamp_1',
);

/**
 * Makes records of the tags that trips held, and lets trips name them by their keys; drops the index of all trips by their
 * length, which is replaced by one of long trips only.
 */
export const tagKeys: Migration = {
  number: 10,
  name: 'tag-keys',
  description: 'Turns the tags of trips into records, and replaces an index of trips by a smaller one',
  pending: async (db) => (await db.collection('trips').countDocuments(TAGGED.pending)) + (await obsolete.pending(db)),
  run: async (context) => {
    const known = await makeTags(context.db);
    const update = ({ account_key, tags }: OldDocument) => {
      const tag_keys = (tags as readonly OldTag[]).flatMap((tag) => known.get(nameOf(account_key, tag)) ?? []);
      return { $set: { tag_keys: [...new Set(tag_keys)] }, $unset: { tags: '' } };
    };
    await changeEach({ ...TAGGED, reads: ['account_key', 'tags'], update }).run(context);
    await obsolete.run(context);
  },
};

/** Creates the missing tags of all accounts; returns their keys. */
async function makeTags(db: mongo.Db): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  const stages = [
    { $match: TAGGED.pending },
    { $unwind: '$tags' },
    { $group: { _id: { account_key: '$account_key', tag: '$tags' } } },
  ];
  const found = db.collection('trips').aggregate<{ _id: { account_key: string; tag: OldTag } }>(stages);
  for (const { _id: old } of await found.toArray()) {
    known.set(nameOf(old.account_key, old.tag), await makeTag(db, old.account_key, old.tag));
  }
  return known;
}

async function makeTag(db: mongo.Db, account_key: string, { key, color, value }: OldTag): Promise<string> {
  const tags = db.collection('tags');
  const text = value ?? key;
  const named = { account_key, type: 'Trip', value_folded: text.normalize('NFC').toLowerCase() };
  const found = await tags.findOne(named);
  if (found) return String(found.key);
  // It keeps its key unless a tag of another account has it.
  const own = (await tags.findOne({ key })) ? newKey() : key;
  const _id = new mongoose.Types.ObjectId();
  await tags.insertOne({ _id, ...named, key: own, color, value: text, created: _id.getTimestamp(), updated: null });
  return own;
}

function nameOf(accountKey: unknown, { key, value }: OldTag): string {
  return JSON.stringify([accountKey, key, value]);
}
