/** Maximum length of a gram, in characters: code points, since half of a surrogate pair is not storable. */
const GRAM_LENGTH = 3;

/** Maximum number of grams that a search compares: a few leave so few serials over that their text can be compared. */
const MAX_SEARCHED = 3;

/** Folds a serial, or a part of one, so that a comparison ignores case. */
export function foldSerial(serial: string): string {
  return serial.toLowerCase();
}

/**
 * Returns the serial of a device with the fields that are derived from it. Every writer stores what it returns, so that a
 * search by grams and a look-up by the whole serial find the same devices.
 */
export function serialFields(serial: string) {
  const serial_folded = foldSerial(serial);
  return { serial, serial_folded, serial_grams: gramsOf(serial_folded) };
}

/**
 * Grams that a folded serial has where it contains a folded text: the text itself where that is a gram, otherwise grams
 * of {@link GRAM_LENGTH} characters that do not overlap. The last one comes first: MongoDB seeks by the first and compares
 * the others, and serials differ most at their ends.
 */
export function searchedGrams(folded: string): string[] {
  const characters = [...folded].slice(-GRAM_LENGTH * MAX_SEARCHED);
  if (characters.length <= GRAM_LENGTH) return [characters.join('')];
  const grams: string[] = [];
  for (let end = characters.length; end >= GRAM_LENGTH; end -= GRAM_LENGTH) {
    grams.push(characters.slice(end - GRAM_LENGTH, end).join(''));
  }
  return [...new Set(grams)];
}

/** The different sequences of 1 to {@link GRAM_LENGTH} characters in a folded serial. */
function gramsOf(folded: string): string[] {
  const characters = [...folded];
  const grams = new Set<string>();
  for (let length = 1; length <= GRAM_LENGTH; length += 1) {
    for (let start = 0; start + length <= characters.length; start += 1) {
      grams.add(characters.slice(start, start + length).join(''));
    }
  }
  return [...grams];
}
