import { ContentItemStore } from '../../models/content-item.ts';
import { type StoredTerm, TermStore } from '../../models/term.ts';
import { typesWithTerms } from '../../schema/kinds/content-kinds.ts';
import { TERM_KINDS } from '../../schema/kinds/term-kinds.ts';
import { updateVersion } from '../../models/versions.ts';
import type { Service } from '../../../models/store/service.ts';

/**
 * Counts again how many published posts have each of these terms. It counts instead of adding, so that the next count corrects
 * a missed one; of two concurrent counts, the one that began first counts again.
 */
export async function recountTerms(service: Service, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const terms = await TermStore.find(service, { id: { $in: [...new Set(ids)] } }).select({
    _id: 0,
    id: 1,
    taxonomy: 1,
    version: 1,
  });
  await Promise.all(terms.map((term) => recount(service, term)));
}

type CountedTerm = Pick<StoredTerm, 'id' | 'taxonomy' | 'version'>;

async function recount(service: Service, term: CountedTerm): Promise<void> {
  const kind = TERM_KINDS.find(({ taxonomy }) => taxonomy === term.taxonomy);
  if (!kind) return;
  const { field } = kind;
  const types = typesWithTerms(kind);
  for (let read: CountedTerm | null = term; read !== null; ) {
    const { id }: CountedTerm = read;
    const count = await ContentItemStore.countDocuments(service, {
      type: { $in: types },
      status: 'publish',
      [field]: id,
    });
    if (await updateVersion(service, TermStore, read, { $set: { count } })) return;
    read = await TermStore.findOne(service, { id }).select({ _id: 0, id: 1, taxonomy: 1, version: 1 });
  }
}
