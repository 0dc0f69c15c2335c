import type { RawAnswer } from './content-table.ts';
import { resolveReferences } from './resolve-references.ts';

/** Writes an embed as XML if `format` is `xml`, else null; shape: oEmbed, section 2.3.4.2. References are resolved. */
export function oembedXml(value: unknown, { format }: Readonly<Record<string, unknown>>): RawAnswer | null {
  if (format !== 'xml') return null;
  const members = Object.entries(value as Readonly<Record<string, string | number>>);
  const elements = members
    .map(([name, text]) => `<${name}>${escaped(resolveReferences(String(text)))}</${name}>`)
    .join('');
  const body = `<?xml version="1.0"?>\n<oembed>${elements}</oembed>\n`;
  return { status: 200, type: 'text/xml; charset=UTF-8', body };
}

function escaped(text: string): string {
  return text
    .replace(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'))
    .replace(/[^\0-\x7f]/gu, (character) => `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`);
}
