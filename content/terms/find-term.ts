import { type StoredTerm, TermStore } from '../models/term.ts';
import { ContentError } from '../schema/content-error.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * The term of a taxonomy that an id names.
 *
 * @throws ContentError `rest_term_invalid`
 */
export async function findTerm(service: Service, { taxonomy }: TermKind, id: unknown): Promise<StoredTerm> {
  const isId = typeof id === 'number' && id > 0;
  const term = isId ? await TermStore.findOne(service, { id, taxonomy }).select({ _id: 0 }) : null;
  if (!term) throw noTerm();
  return term;
}

/** Refusal of an id that names no term. */
export function noTerm(): ContentError {
  return new ContentError('rest_term_invalid', 'Term does not exist.', 404);
}
