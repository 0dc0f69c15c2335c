import type { AnswerFormat } from './content-table.ts';
import { resolveReferences } from './links/resolve-references.ts';

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
