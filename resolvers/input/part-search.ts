import { foldSerial } from '../../models/vehicles/serial-grams.ts';

import { gramSearch } from './gram-search.ts';

/**
 * Condition on records with a text in any part of a field, ignoring case; none for an empty text.
 *
 * @param field of which `…_folded` and `…_grams` are stored
 */
export function partSearch(field: 'serial' | 'nickname', text: string): Record<string, unknown> {
  if (text === '') return {};
  return gramSearch(foldSerial(text), { grams: `${field}_grams`, text: `${field}_folded` });
}
