import type { RawAnswer } from './content-table.ts';

/**
 * An embed as XML, where that is asked for; null for JSON. Shape: the oEmbed specification, section 2.3.4.2. Character
 * references in the values are written as the characters that they mean, and what is not ASCII by its number.
 */
export function oembedXml(value: unknown, { format }: Readonly<Record<string, unknown>>): RawAnswer | null {
  if (format !== 'xml') return null;
  const members = Object.entries(value as Readonly<Record<string, string | number>>);
  const elements = members.map(([name, text]) => `<${name}>${escaped(resolved(String(text)))}</${name}>`).join('');
  const body = `<?xml version="1.0"?>\n<oembed>${elements}</oembed>\n`;
  return { status: 200, type: 'text/xml; charset=UTF-8', body };
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function resolved(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

function escaped(text: string): string {
  return text
    .replace(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'))
    .replace(/[^\0-\x7f]/gu, (character) => `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`);
}
