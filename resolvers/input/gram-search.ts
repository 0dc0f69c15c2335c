import { searchedGrams } from '../../models/n-grams.ts';

import { literalPattern } from '../../models/literal-pattern.ts';

/**
 * Condition on documents with a folded text in any part of a field. The pattern is compared only with what the index of the
 * field's grams leaves over, not with all of the collection.
 *
 * @param grams name of the field that has the grams of the field `text`
 */
export function gramSearch(folded: string, { grams, text }: { readonly grams: string; readonly text: string }) {
  const [last = '', ...others] = searchedGrams(folded);
  if (last === folded) return { [grams]: last };
  return { [grams]: { $all: [last, ...others] }, [text]: { $regex: literalPattern(folded) } };
}
