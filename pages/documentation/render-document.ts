import { Marked, type Token, type Tokens } from 'marked';

import { type Html, html, raw } from '../../http/answers/html.ts';

import { areAlternatives, type CodeBlock, codeFigure, codeTabs } from './code-figures.ts';
import { nameOf } from './documents.ts';

/** A heading below the title of a document. */
export interface DocumentHeading {
  /** Fragment of its address, as code hosts derive it from the text. */
  readonly id: string;
  readonly depth: number;
  readonly title: Html;
}

/** A part of a document that a search finds: a heading, with the text below it. */
export interface DocumentSection {
  /** null for the beginning of the document. */
  readonly id: string | null;
  readonly heading: string;
  readonly text: string;
  readonly code: string;
}

/** A document as HTML. Links to other documents are relative. */
export interface RenderedDocument {
  readonly title: Html;
  readonly headings: readonly DocumentHeading[];
  readonly body: Html;
  readonly sections: readonly DocumentSection[];
}

/** Part of a document for people who change the code. */
const FOR_ENGINEERS = /^## In this folder\n[\s\S]*/m;

/**
 * Renders the Markdown of a document (GitHub's dialect).
 *
 * @param isServed returns true for a name that has a page
 */
export function renderDocument(source: string, isServed: (name: string) => boolean): RenderedDocument {
  const ids = idsOfHeadings();
  const code = codeIds();
  const marked = new Marked({
    renderer: {
      code: (token) => codeFigure(code(), blockOf(token)).text,
      table(token) {
        return tableHtml(token, (tokens) => this.parser.parseInline(tokens)).text;
      },
      link({ href, tokens }) {
        const target = targetOf(href, isServed);
        const text = raw(this.parser.parseInline(tokens));
        return (target === null ? text : html`<a href="${target}">${text}</a>`).text;
      },
    },
  });
  const inline = (tokens: Token[]) => raw(marked.Parser.parseInline(tokens, marked.defaults));
  const headings: DocumentHeading[] = [];
  const sections: { id: string | null; heading: string; text: string; code: string }[] = [];
  const body: Html[] = [];
  let title = html``;
  for (const group of groupsOf(marked.lexer(source.replace(FOR_ENGINEERS, '')))) {
    const [first] = group;
    if (first?.type === 'heading') {
      const { depth, text, tokens } = first as Tokens.Heading;
      const heading = { id: ids(text), depth, title: inline(tokens ?? []) };
      sections.push({
        id: depth === 1 ? null : heading.id,
        heading: plainText(heading.title.text),
        text: '',
        code: '',
      });
      if (depth === 1) title = heading.title;
      else {
        headings.push(heading);
        body.push(headingHtml(heading));
      }
      continue;
    }
    const isExample = group.length > 1;
    const part = isExample ? codeTabs(code(), group.map(blockOf)) : raw(marked.parser(group));
    body.push(part);
    const section = sections.at(-1);
    if (section && first?.type === 'code') section.code += group.map((token) => `${blockOf(token).code}\n`).join('');
    else if (section) section.text = `${section.text} ${plainText(part.text)}`.trimStart();
  }
  return { title, headings, body: html`${body}`, sections };
}

/** Text of HTML that was written here. */
export function plainText(markup: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return markup
    .replace(/<\/t[dh]>(?=<t)/g, ' · ')
    .replace(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(\w+|#39);/g, (entity, name: string) => entities[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Blocks of a document, of which blocks of code that are one example in several languages are one group. */
function groupsOf(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    if (token.type === 'space') continue;
    const last = groups.at(-1);
    if (token.type === 'code' && last?.[0]?.type === 'code' && areAlternatives([...last, token].map(blockOf))) {
      last.push(token);
    } else groups.push([token]);
  }
  return groups;
}

function blockOf(token: Token): CodeBlock {
  const { lang = '', text } = token as Tokens.Code;
  return { info: lang, code: text };
}

function codeIds(): () => string {
  let count = 0;
  return () => `code-${++count}`;
}

/** Makes the fragments of the headings of a document; the second of the same text ends with `-1`. */
function idsOfHeadings(): (text: string) => string {
  const counts = new Map<string, number>();
  return (text) => {
    const id = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\w\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

function headingHtml({ id, depth, title }: DocumentHeading): Html {
  const level = raw(`h${depth}`);
  return html`<${level} id="${id}"><a class="anchor" href="#${id}">${title}</a></${level}>\n`;
}

/** Length of a text in the last column, in characters, from which the cells of a row stand below each other on narrow screens. */
const LONG_CELL = 60;

/** A table that scrolls if it is wider than the page. A head without texts is omitted. */
function tableHtml({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): Html {
  const isNamed = header.some(({ text }) => text !== '');
  const cell = ({ text, tokens, align, header: isHead }: Tokens.TableCell, at: number) => {
    const tag = raw(isHead && text !== '' ? 'th' : 'td');
    const name = !isHead && at > 0 && at < header.length - 1 && text !== '' && header[at]?.text;
    return html`<${tag}${align && html` class="${align}"`}${name && html` data-label="${name}"`}>${raw(inline(tokens))}</${tag}>`;
  };
  const row = (cells: Tokens.TableCell[]) => html`<tr>${cells.map(cell)}</tr>\n`;
  const hasTexts = rows.some((cells) => (cells.at(-1)?.text.length ?? 0) > LONG_CELL);
  return html`<div class="table${hasTexts && ' stacks'}" role="group" tabindex="0" aria-label="Table"><table>
${isNamed && html`<thead>${row(header)}</thead>\n`}<tbody>
${rows.map(row)}</tbody>
</table></div>
`;
}

/** Address to which a link of a document leads; null if nothing is served there. */
function targetOf(href: string, isServed: (name: string) => boolean): string | null {
  if (/^[a-z]+:|^#/i.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  if (path === '../schema.graphql') return 'schema.graphql';
  const name = nameOf(path);
  if (!isServed(name)) return null;
  return fragment === undefined ? name : `${name}#${fragment}`;
}
