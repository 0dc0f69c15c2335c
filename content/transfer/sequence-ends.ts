import type { SequenceName } from '../models/sequence.ts';

import type { RecordReader } from './record-reader.ts';

/** How `next_ids` of a file names the sequences. */
export const NEXT_ID_NAMES: Readonly<Record<SequenceName, string>> = {
  items: 'posts/pages/media/revisions (one shared sequence)',
  terms: 'categories/tags (one shared sequence)',
  users: 'users',
  comments: 'comments',
};

/** The last number that each sequence of a file gave away: what `next_ids` says, and no lower than what it contains. */
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
