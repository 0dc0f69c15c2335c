import { CommentModel } from '../../models/comment.ts';

/** Counts the approved comments on items: by the number of the item, nothing for items without comments. One query. */
export async function countComments(items: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (items.length === 0) return new Map();
  const counts = await CommentModel.aggregate<{ readonly _id: number; readonly count: number }>([
    { $match: { post: { $in: [...items] }, status: 'approved' } },
    { $group: { _id: '$post', count: { $sum: 1 } } },
  ]);
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}
