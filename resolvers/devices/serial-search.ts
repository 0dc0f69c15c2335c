import { foldSerial, searchedGrams } from '../../models/vehicles/serial-grams.ts';

import { literalPattern } from '../input/literal-pattern.ts';

/**
 * Condition on devices with a text in any part of their serials, ignoring case; none for an empty text. The pattern is
 * compared only with the serials that the index of `serial_grams` leaves over, not with all of the account.
 */
export function serialSearch(text: string) {
  if (text === '') return {};
  const folded = foldSerial(text);
  const [last = '', ...others] = searchedGrams(folded);
  if (last === folded) return { serial_grams: last };
  return { serial_grams: { $all: [last, ...others] }, serial_folded: { $regex: literalPattern(folded) } };
}
