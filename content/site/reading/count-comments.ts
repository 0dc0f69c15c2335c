import { CommentStore } from '../../models/comment.ts';
import type { Service } from '../../../models/store/service.ts';

/** Counts the approved comments on items: by the number of the item, nothing for items without comments. One query. */
export async function countComments(service: Service, items: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (items.length === 0) return new Map();
  const counts = await CommentStore.aggregate<{ readonly _id: number; readonly count: number }>(service, [
    { $match: { post: { $in: [...items] }, status: 'approved' } },
    { $group: { _id: '$post', count: { $sum: 1 } } },
  ]);
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}
