import { ContentItemStore } from '../models/content-item.ts';
import { type StoredTerm, TermStore } from '../models/term.ts';
import { typesWithTerms } from '../schema/kinds/content-kinds.ts';
import { makeNotedChange } from '../items/pending/pending-changes.ts';
import { recountTerms } from '../items/pending/recount-terms.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';

import { noTerm } from './find-term.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Deletes a term. Posts that would be left without a category get the default one if there is one, and what lay below the term moves up.
 * The term goes last, so that a deletion that breaks off can be asked for again.
 *
 * @throws ContentError `rest_term_invalid` where another request has deleted it
 */
export async function deleteTerm(
  service: Service,
  kind: TermKind,
  term: StoredTerm,
  defaultCategory: number | null,
): Promise<void> {
  const { taxonomy } = kind;
  const fallback = kind.isTree ? await TermStore.findOne(service, { id: defaultCategory ?? 0, taxonomy }) : null;
  const remove = () => removeTerm(service, kind, term, fallback);
  const isDeleted = fallback
    ? await makeNotedChange(service, { item: 0, terms: [fallback.id] }, remove)
    : await remove();
  if (!isDeleted) throw noTerm();
}

async function removeTerm(
  service: Service,
  kind: TermKind,
  { id, parent }: StoredTerm,
  fallback: StoredTerm | null,
): Promise<boolean> {
  const { field, taxonomy } = kind;
  const type = { $in: typesWithTerms(kind) };
  if (fallback) {
    await ContentItemStore.updateMany(
      service,
      { type, $and: [{ [field]: id }, { [field]: { $size: 1 } }] },
      { $set: { [field]: [fallback.id] } },
    );
  }
  if (kind.isTree)
    await TermStore.updateMany(service, { taxonomy, parent: id }, { $set: { parent }, $unset: { name_key: 1 } });
  await ContentItemStore.updateMany(service, { type, [field]: id }, { $pull: { [field]: id } });
  const { deletedCount } = await TermStore.deleteOne(service, { id });
  if (fallback) await recountTerms(service, [fallback.id]);
  return deletedCount > 0;
}
