import { registerEnumType } from 'type-graphql';

/** A closed list of words: each stands for itself, in GraphQL, in REST and in the database. */
export type ClosedList<Word extends string> = { readonly [Each in Word]: Each };

/**
 * Makes a closed list of words, a GraphQL enum whose values are the words of the wire.
 *
 * @param name of the enum
 * @param words each with its description
 */
export function closedList<Word extends string>(
  name: string,
  description: string,
  words: Readonly<Record<Word, string>>,
): ClosedList<Word> {
  const entries = Object.entries<string>(words);
  const list = Object.fromEntries(entries.map(([word]) => [word, word])) as ClosedList<Word>;
  const valuesConfig = Object.fromEntries(entries.map(([word, text]) => [word, { description: text }]));
  registerEnumType(list, { name, description, valuesConfig: valuesConfig as never });
  return list;
}
