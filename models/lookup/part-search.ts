import { foldSerial } from '../vehicles/serial-grams.ts';
import { searchedGrams } from '../n-grams.ts';
import { literalPattern } from '../literal-pattern.ts';

/**
 * Condition on records with a text in any part of a field, ignoring case; none for an empty text.
 *
 * @param field of which `…_folded` and `…_grams` are stored
 */
export function partSearch(field: 'serial' | 'nickname', text: string): Record<string, unknown> {
  if (text === '') return {};
  return gramSearch(foldSerial(text), { grams: `${field}_grams`, text: `${field}_folded` });
}

/**
 * Condition on documents with a folded text in any part of a field. The pattern is compared only with candidates from the index
 * of the field's grams, not with the whole collection.
 *
 * @param grams name of the field that has the grams of the field `text`
 */
function gramSearch(folded: string, { grams, text }: { readonly grams: string; readonly text: string }) {
  const [last = '', ...others] = searchedGrams(folded);
  if (last === folded) return { [grams]: last };
  return { [grams]: { $all: [last, ...others] }, [text]: { $regex: literalPattern(folded) } };
}
