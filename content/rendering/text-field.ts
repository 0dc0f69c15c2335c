import { escapeAttribute, escapeMarkup } from './markup/escape-markup.ts';
import { plainText, stripTags } from './plain-text.ts';
import { trimAscii } from './markup/white-space.ts';
import { cleanUrl, withoutOctets } from './markup/clean-url.ts';
import { sanitizeHtml } from './markup/sanitize-html.ts';

/** A line of plain text from a stranger's input: no tags, no percent-encoded octets, single spaces. */
export function textField(typed: string): string {
  const line = trimAscii(withoutTags(typed).replace(/[\r\n\t ]+/g, ' '));
  const current = withoutOctets(line, /[a-f0-9]{2}/i);
  return current === line ? line : trimAscii(current.replace(/ +/g, ' '));
}

function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  const closed = text.replace(/<[^<>]*(?=<|$)/g, (unclosed) => escapeAttribute(unclosed));
  return plainText(closed).replaceAll('<\n', '&lt;\n');
}

/** A name of a person as it is stored: one line, ready for HTML. */
export function cleanName(typed: string): string {
  return escapeMarkup(sanitizeHtml(textField(typed), 'comment'));
}

/** The address of a person's site as it is stored, empty if its protocol is not allowed. */
export function cleanSite(typed: string): string {
  return sanitizeHtml(cleanUrl(stripTags(typed).trim(), 'stored'), 'comment');
}
