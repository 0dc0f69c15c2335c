import type { SequenceName } from '../models/sequence.ts';

import type { RecordReader } from './record-reader.ts';

/** Names of the sequences in `next_ids` of a file. */
export const NEXT_ID_NAMES: Readonly<Record<SequenceName, string>> = {
  items: 'posts/pages/media/revisions (one shared sequence)',
  terms: 'categories/tags (one shared sequence)',
  users: 'users',
  comments: 'comments',
};

/** The last number that each sequence of a file has assigned: by `next_ids`, and no lower than the numbers in the file. */
export function sequenceEnds(
  document: RecordReader,
  ids: Readonly<Record<SequenceName, readonly number[]>>,
): readonly (readonly [SequenceName, number])[] {
  const next = document.inner('next_ids');
  return (Object.keys(ids) as SequenceName[]).map((name) => {
    const highest = ids[name].reduce((high, id) => Math.max(high, id), 0);
    return [name, Math.max(highest, next.integer(NEXT_ID_NAMES[name]) - 1)];
  });
}
