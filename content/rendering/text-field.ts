import { escapeAttribute } from './markup/escape-markup.ts';
import { plainText } from './plain-text.ts';
import { trimAscii } from './markup/white-space.ts';

/** A line of plain text of what a stranger typed: no tags, no percent-encoded octets, single spaces. */
export function textField(typed: string): string {
  return withoutOctets(trimAscii(withoutTags(typed).replace(/[\r\n\t ]+/g, ' ')));
}

function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  const closed = text.replace(/<[^<>]*(?=<|$)/g, (unclosed) => escapeAttribute(unclosed));
  return plainText(closed).replaceAll('<\n', '&lt;\n');
}

function withoutOctets(text: string): string {
  let current = text;
  for (let octet = firstOctet(current); octet !== undefined; octet = firstOctet(current)) {
    current = current.replaceAll(octet, '');
  }
  return current === text ? text : trimAscii(current.replace(/ +/g, ' '));
}

function firstOctet(text: string): string | undefined {
  return /%[a-f0-9]{2}/i.exec(text)?.[0];
}
