import { escapeAttribute } from './markup/escape-markup.ts';
import { plainText } from './plain-text.ts';
import { trimAscii } from './markup/white-space.ts';
import { withoutOctets } from './markup/without-octets.ts';

/** A line of plain text of what a stranger typed: no tags, no percent-encoded octets, single spaces. */
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
