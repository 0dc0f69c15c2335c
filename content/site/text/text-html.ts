import { escapeAttribute } from '../../rendering/markup/escape-markup.ts';
import { stripTags } from '../../rendering/plain-text.ts';
import { resolveReferences } from '../../rest/oembed-xml.ts';
import { type Html, raw } from '../../../http/answers/html.ts';

/** Converts HTML of an author to text in HTML: elements are removed, character references stay. */
export function textHtml(html: string): Html {
  return raw(escapeAttribute(stripTags(html).replace(/\s+/g, ' ').trim()));
}

/** As {@link textHtml}, of at most `length` characters, cut between words. */
export function shortTextHtml(html: string, length: number): Html {
  const text = stripTags(html).replace(/\s+/g, ' ').trim();
  if (text.length <= length) return textHtml(text);
  const cut = text.slice(0, length).replace(/[^\s]*$/, '');
  return raw(escapeAttribute(`${cut.trimEnd()}…`));
}

/** Converts HTML to the characters that a reader sees, for places without markup. */
export function readableText(html: string): string {
  return resolveReferences(stripTags(html)).replace(/\s+/g, ' ').trim();
}
