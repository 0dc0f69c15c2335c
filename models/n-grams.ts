/** Maximum length of a gram, in characters: code points, since half of a surrogate pair is not storable. */
export const GRAM_LENGTH = 3;

/** Maximum number of grams that a search compares: a few of them leave few enough texts to compare. */
const MAX_SEARCHED = 3;

/**
 * Grams of a text that contains another text: that other text itself if it is a gram, otherwise grams of
 * {@link GRAM_LENGTH} characters that do not overlap. The last one comes first: MongoDB seeks by the first and compares
 * the others, and serials differ most at their ends.
 */
export function searchedGrams(part: string): string[] {
  const characters = [...part].slice(-GRAM_LENGTH * MAX_SEARCHED);
  if (characters.length <= GRAM_LENGTH) return [characters.join('')];
  const grams: string[] = [];
  for (let end = characters.length; end >= GRAM_LENGTH; end -= GRAM_LENGTH) {
    grams.push(characters.slice(end - GRAM_LENGTH, end).join(''));
  }
  return [...new Set(grams)];
}

/** The different sequences of `shortest` to {@link GRAM_LENGTH} characters in a text. */
export function gramsOf(text: string, shortest = 1): string[] {
  const characters = [...text];
  const grams = new Set<string>();
  for (let length = shortest; length <= GRAM_LENGTH; length += 1) {
    for (let start = 0; start + length <= characters.length; start += 1) {
      grams.add(characters.slice(start, start + length).join(''));
    }
  }
  return [...grams];
}
