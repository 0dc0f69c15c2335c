import { foldSerial, searchedGrams } from '../../models/vehicles/serial-grams.ts';

import { literalPattern } from '../input/literal-pattern.ts';

/**
 * Condition on devices with a text in any part of their serials, ignoring case; none for an empty text. The index of
 * `serial_grams` narrows it to few devices, of which the pattern then reads the serials, instead of all of the account.
 */
export function serialSearch(text: string) {
  if (text === '') return {};
  const folded = foldSerial(text);
  const [last = '', ...others] = searchedGrams(folded);
  if (last === folded) return { serial_grams: last };
  return { serial_grams: { $all: [last, ...others] }, serial_folded: { $regex: literalPattern(folded) } };
}
