import { ContentItemModel } from '../../../models/content/content-item.ts';
import { type Taxonomy, TermModel } from '../../../models/content/term.ts';

/** The field of a post that holds the ids of each taxonomy's terms. */
const FIELDS: Readonly<Record<Taxonomy, 'categories' | 'tags'>> = { category: 'categories', post_tag: 'tags' };

/**
 * Counts anew how many published posts have each of these terms. It counts instead of adding, so that a count that was
 * missed is put right by the next one.
 */
export async function recountTerms(ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const terms = await TermModel.find({ id: { $in: [...new Set(ids)] } })
    .select({ _id: 0, id: 1, taxonomy: 1 })
    .lean<{ id: number; taxonomy: Taxonomy }[]>();
  await Promise.all(
    terms.map(async ({ id, taxonomy }) => {
      const count = await ContentItemModel.countDocuments({ type: 'post', status: 'publish', [FIELDS[taxonomy]]: id });
      await TermModel.updateOne({ id }, { $set: { count } });
    }),
  );
}
