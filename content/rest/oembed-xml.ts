import type { AnswerFormat } from './content-table.ts';

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Replaces character references by their characters: numbers, and the names that XML knows. */
export function resolveReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** XML as oEmbed has it (section 2.3.4.2). References in texts are resolved. */
export const OEMBED_XML: AnswerFormat = {
  type: 'text/xml; charset=UTF-8',
  write: (document) => `<?xml version="1.0"?>\n${element('oembed', document)}\n`,
};

/** Writes a value as an element; members of a list are called `oembed`. */
function element(name: string, value: unknown): string {
  const content = typeof value === 'object' && value !== null ? contentOf(value) : textOf(value);
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

function contentOf(value: object): string {
  const members = Array.isArray(value) ? value.map((member) => ['oembed', member]) : Object.entries(value);
  return members.map(([name, member]) => element(name, member)).join('');
}

function textOf(value: unknown): string {
  return resolveReferences(String(value ?? ''))
    .replace(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'))
    .replace(/[^\0-\x7f]/gu, (character) => `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`);
}
