/** The different sequences of 1 to 3 characters in a text, as migrations store them. */
export function gramsOf(characters: readonly string[]): string[] {
  const grams = [1, 2, 3].flatMap((length) =>
    characters
      .slice(0, Math.max(0, characters.length - length + 1))
      .map((_, start) => characters.slice(start, start + length).join('')),
  );
  return [...new Set(grams)];
}
