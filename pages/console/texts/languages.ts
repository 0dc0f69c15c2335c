import { de } from './de.ts';
import { en, type Texts } from './en.ts';

/** Languages of the console, by their tags. */
export const LANGUAGES: Readonly<Record<Language, Texts>> = { en, de };

/** Tag of a language of the console. */
export type Language = 'en' | 'de';

/** Chooses the language of `Accept-Language` (RFC 9110, section 12.5.4) with the highest weight, English by default. */
export function languageOf(accepted = ''): Language {
  const ranges = accepted.split(',').map((range) => {
    const [tag = '', weight] = range.split(';');
    return {
      tag: tag.trim().toLowerCase().split('-')[0] ?? '',
      weight: Number(/q=([\d.]+)/.exec(weight ?? '')?.[1] ?? 1),
    };
  });
  const known = ranges.filter(({ tag, weight }) => Object.hasOwn(LANGUAGES, tag) && weight > 0);
  return (known.sort((one, other) => other.weight - one.weight)[0]?.tag ?? 'en') as Language;
}
