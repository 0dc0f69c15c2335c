import { escapeAttribute } from '../rendering/markup/escape-markup.ts';
import { stripTags } from '../rendering/plain-text.ts';
import { resolveReferences } from '../rest/resolve-references.ts';
import { type Html, raw } from '../../http/answers/html.ts';

/** HTML that an author wrote as text alone: no element of it is left, its character references stay. */
export function textHtml(html: string): Html {
  return raw(escapeAttribute(stripTags(html).replace(/\s+/g, ' ').trim()));
}

/** The same of at most so many characters, cut between words, for descriptions. */
export function shortTextHtml(html: string, length: number): Html {
  const text = stripTags(html).replace(/\s+/g, ' ').trim();
  if (text.length <= length) return textHtml(text);
  const cut = text.slice(0, length).replace(/[^\s]*$/, '');
  return raw(escapeAttribute(`${cut.trimEnd()}…`));
}

/** HTML as the characters that a reader sees, where no markup may stand. */
export function readableText(html: string): string {
  return resolveReferences(stripTags(html)).replace(/\s+/g, ' ').trim();
}
