import { escapeAttribute } from '../../rendering/markup/escape-markup.ts';
import { stripTags } from '../../rendering/plain-text.ts';
import { resolveReferences } from '../../rest/oembed-xml.ts';
import { type Html, raw, html } from '../../../http/answers/html.ts';
import { dayInWords } from './written-date.ts';

/** Placeholder for a password-protected text. */
export const PROTECTED_TEXT = 'This text is protected by a password.';

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

/** Writes the title of an article, which is HTML; one without a title has its date, which is in the site's time zone. */
export function titleHtml(
  { title, date, isProtected }: { title: string; date: string; isProtected: boolean },
  language: string,
): Html {
  const text = textHtml(title);
  const shown = text.text === '' ? html`${dayInWords(date, language)}` : text;
  return isProtected ? html`Protected: ${shown}` : shown;
}
