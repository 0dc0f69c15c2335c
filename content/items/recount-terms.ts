import { ContentItemModel } from '../models/content-item.ts';
import { type StoredTerm, type Taxonomy, TermModel } from '../models/term.ts';
import { updateVersion } from '../models/versions.ts';

/** The field of a post that holds the ids of each taxonomy's terms. */
const FIELDS: Readonly<Record<Taxonomy, 'categories' | 'tags'>> = { category: 'categories', post_tag: 'tags' };

/**
 * Counts anew how many published posts have each of these terms. It counts instead of adding, so that a count that was
 * missed is put right by the next one; of two that count at the same moment, the one that began first counts again.
 */
export async function recountTerms(ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const terms = await TermModel.find({ id: { $in: [...new Set(ids)] } })
    .select({ _id: 0, id: 1, taxonomy: 1, version: 1 })
    .lean<CountedTerm[]>();
  await Promise.all(terms.map(recount));
}

type CountedTerm = Pick<StoredTerm, 'id' | 'taxonomy' | 'version'>;

async function recount(term: CountedTerm): Promise<void> {
  for (let read: CountedTerm | null = term; read !== null; ) {
    const { id, taxonomy }: CountedTerm = read;
    const count = await ContentItemModel.countDocuments({ type: 'post', status: 'publish', [FIELDS[taxonomy]]: id });
    if (await updateVersion(TermModel, read, { $set: { count } })) return;
    read = await TermModel.findOne({ id }).select({ _id: 0, id: 1, taxonomy: 1, version: 1 }).lean<CountedTerm>();
  }
}
