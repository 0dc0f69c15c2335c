import { htmlPieces } from '../markup/html-pieces.ts';
import { trimAscii, trimEndOf } from '../markup/white-space.ts';

/** A tag beside which white space has no meaning, and so must not become a break. */
interface CloseTag {
  readonly tag: RegExp;
  readonly sides: 'before' | 'after' | 'both';
  /** The rule applies only if there is such a tag. */
  readonly beside: RegExp;
}

const OPTION = /^<option/;
const FIGURE_CAPTION = /^<figcaption/;
const MEDIA = /^<(?:source|track)/;
const OBJECT_END = /^<\/object>/;

const CLOSE_TAGS: readonly CloseTag[] = [
  { tag: OPTION, sides: 'before', beside: OPTION },
  { tag: /^<\/option>/, sides: 'after', beside: OPTION },
  { tag: /^<object[^>]*>/, sides: 'after', beside: OBJECT_END },
  { tag: OBJECT_END, sides: 'before', beside: OBJECT_END },
  { tag: /^<\/?(?:param|embed)[^>]*>/, sides: 'both', beside: OBJECT_END },
  { tag: /^<(?:audio|video)[^>]*>/, sides: 'after', beside: MEDIA },
  { tag: /^<\/(?:audio|video)>/, sides: 'before', beside: MEDIA },
  { tag: /^<(?:source|track)[^>]*>/, sides: 'both', beside: MEDIA },
  { tag: /^<figcaption[^>]*>/, sides: 'before', beside: FIGURE_CAPTION },
  { tag: /^<\/figcaption>/, sides: 'after', beside: FIGURE_CAPTION },
];

/** Removes white space beside the tags of options, objects, audio, video and captions. A piece is a tag or text. */
function detachMedia(pieces: readonly string[]): string[] {
  const rules = CLOSE_TAGS.filter(({ beside }) => pieces.some((piece) => beside.test(piece)));
  const closes = (tag: string | undefined, side: 'before' | 'after') =>
    tag !== undefined && rules.some((rule) => rule.sides !== opposite[side] && rule.tag.test(tag));
  return pieces
    .map((piece, at) => {
      if (piece.startsWith('<')) return piece;
      const started = closes(pieces[at - 1], 'after') ? piece.replace(/^[ \t\n\v\f\r]+/, '') : piece;
      return closes(pieces[at + 1], 'before') ? trimEndOf(started, ' \t\n\v\f\r') : started;
    })
    .filter((piece) => piece !== '');
}

const opposite = { before: 'after', after: 'before' } as const;

const BLOCKS =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|' +
  'math|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|' +
  'menu|summary';

const OPENING_BLOCK = new RegExp(`<(?:${BLOCKS})[\\s/>]`, 'g');
const CLOSING_BLOCK = new RegExp(`</(?:${BLOCKS})>`, 'g');
const BLOCK_TAG = new RegExp(`^</?(?:${BLOCKS})[^>]*>`);
const BLOCK_START = new RegExp(`</?(?:${BLOCKS})`);
const TIGHT_TAG = /^<\/?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>/;

/** Puts an empty line before every opening tag of a block element, and one after every closing tag. */
function setBlocksApart(html: string): string {
  return html.replace(OPENING_BLOCK, '\n\n$&').replace(CLOSING_BLOCK, '$&\n\n');
}

/** Returns true if the source is the tag of a block element. A name that only begins like one counts too. */
function isBlockTag(source: string): boolean {
  return BLOCK_TAG.test(source);
}

/** Returns true if the source of a tag ends with one of a block element that is written in one line; a stray `<` may come before it. */
function endsWithBlockTag(source: string): boolean {
  return source.endsWith('>') && BLOCK_START.test(source.slice(source.lastIndexOf('\n') + 1));
}

const P = '<p>';
const END_P = '</p>';
const BREAK = '<br />';

/** Placeholder of removed text: a character that Unicode reserves for internal use. */
const MARK = '\ufdd3';

/** The pieces of HTML source in order; one that begins with `<` is markup, any other is text. */
type Pieces = readonly string[];

/** Finds the rewriting rule that matches at a position; undefined if there is none. */
type Rewrite = (pieces: Pieces, at: number) => { readonly take: number; readonly put: Pieces } | undefined;

/**
 * Makes paragraphs of text in which an empty line ends a paragraph and a line end a line, around the markup that is there:
 * block elements are not wrapped, `pre` is untouched, and line ends within tags, comments, scripts and styles stay.
 *
 * The text is cut into chunks at empty lines, so that a block's opening tag begins a chunk and its closing tag ends one.
 * Each chunk becomes a paragraph, whose tags are then removed wherever they would touch a block's.
 */
export function autop(text: string): string {
  if (trimAscii(text) === '') return '';
  const { html, restore } = setVerbatimAside(`${text}\n`);
  const spaced = setBlocksApart(html.replace(/<br\s*\/?>\s*<br\s*\/?>/g, '\n\n')).replace(/\r\n?/g, '\n');
  const pieces = detachMedia(htmlPieces(spaced).map(({ source }) => source));
  const paragraphs = PARAGRAPH_RULES.reduce(rewrite, wrapChunks(pieces));
  const broken = BREAK_RULES.reduce(rewrite, breakLines(paragraphs));
  return restore(dropLastLineEnd(broken).join(''));
}

/** Makes each stretch between empty lines a paragraph with a line of its own. */
function wrapChunks(pieces: Pieces): Pieces {
  const chunks: string[][] = [[]];
  for (const piece of pieces) {
    const [first = '', ...further] = isText(piece) ? piece.split(/\n[ \t\n\v\f\r]*\n/) : [piece];
    chunks.at(-1)?.push(first);
    chunks.push(...further.map((part) => [part]));
  }
  return chunks
    .filter((chunk) => chunk.some((piece) => piece !== ''))
    .flatMap((chunk) => [P, ...withoutOuterLineEnds(chunk), END_P, '\n']);
}

function withoutOuterLineEnds(chunk: Pieces): Pieces {
  return chunk
    .map((piece, index) => (index === 0 ? piece.replace(/^\n+/, '') : piece))
    .map((piece, index) => (index === chunk.length - 1 && isText(piece) ? trimEndOf(piece, '\n') : piece))
    .filter((piece) => piece !== '');
}

const dropEmptyParagraph: Rewrite = (pieces, at) => {
  const end = afterSpace(pieces, at + 1);
  return pieces[at] === P && pieces[end] === END_P ? { take: end + 1 - at, put: [] } : undefined;
};

/** Ends a paragraph of nothing but text before the end of the element around it. */
const endParagraph: Rewrite = (pieces, at) => {
  const [open, text, close] = pieces.slice(at, at + 3);
  if (open !== P || text === undefined || close === undefined || !isText(text)) return undefined;
  return /^<\/(?:div|address|form)>/.test(close) ? { take: 3, put: [P, text, END_P, close] } : undefined;
};

/** Removes the paragraph around a block's tag that is alone in it. */
const unwrapBlock: Rewrite = (pieces, at) => {
  const block = afterSpace(pieces, at + 1);
  const end = afterSpace(pieces, block + 1);
  const isAlone = pieces[at] === P && isBlockOfOneLine(pieces[block]) && pieces[end] === END_P;
  return isAlone ? { take: end + 1 - at, put: pieces.slice(block, block + 1) } : undefined;
};

/** Removes the paragraph around a list item that is written in one line. */
const unwrapListItem: Rewrite = (pieces, at) => {
  if (pieces[at] !== P || !pieces[at + 1]?.startsWith('<li')) return undefined;
  let end = at + 2;
  for (let piece = pieces[end]; piece !== END_P; piece = pieces[++end]) {
    if (piece === undefined || (isText(piece) && piece.includes('\n'))) return undefined;
  }
  return { take: end + 1 - at, put: pieces.slice(at + 1, end) };
};

/** Begins the paragraph inside the quotation instead of around it. */
const enterQuotation: Rewrite = (pieces, at) => {
  const quotation = pieces[at + 1]?.match(/^<blockquote([^>]*)>/i);
  if (pieces[at]?.toLowerCase() !== P || !quotation) return undefined;
  return { take: 2, put: [`<blockquote${quotation[1]}>`, P] };
};

const leaveQuotation: Rewrite = (pieces, at) => {
  const isEnd = pieces[at] === '</blockquote>' && pieces[at + 1] === END_P;
  return isEnd ? { take: 2, put: [END_P, '</blockquote>'] } : undefined;
};

const dropBeforeBlock: Rewrite = (pieces, at) => {
  const block = afterSpace(pieces, at + 1);
  const touches = pieces[at] === P && isBlockTag(pieces[block] ?? '');
  return touches ? { take: block + 1 - at, put: pieces.slice(block, block + 1) } : undefined;
};

function dropAfterBlock(tag: string): Rewrite {
  return (pieces, at) => {
    const next = afterSpace(pieces, at + 1);
    const touches = endsWithBlockTag(pieces[at] ?? '') && pieces[next] === tag;
    return touches ? { take: next + 1 - at, put: pieces.slice(at, at + 1) } : undefined;
  };
}

const dropBreakBeforeBlock: Rewrite = (pieces, at) => {
  const next = afterSpace(pieces, at + 1);
  const touches = pieces[at] === BREAK && TIGHT_TAG.test(pieces[next] ?? '');
  return touches ? { take: next + 1 - at, put: pieces.slice(at + 1, next + 1) } : undefined;
};

const PARAGRAPH_RULES: readonly Rewrite[] = [
  dropEmptyParagraph,
  endParagraph,
  unwrapBlock,
  unwrapListItem,
  enterQuotation,
  leaveQuotation,
  dropBeforeBlock,
  dropAfterBlock(END_P),
];

const BREAK_RULES: readonly Rewrite[] = [dropAfterBlock(BREAK), dropBreakBeforeBlock];

/** Removes the line end before the end of the last paragraph. */
function dropLastLineEnd(pieces: Pieces): Pieces {
  const end = pieces.at(-1) === '\n' ? pieces.length - 2 : pieces.length - 1;
  const last = pieces[end - 1];
  if (pieces[end] !== END_P || last === undefined || !isText(last) || !last.endsWith('\n')) return pieces;
  return pieces.with(end - 1, last.slice(0, -1));
}

/** Writes line ends of text as breaks, except those after a break and those in scripts and styles. */
function breakLines(pieces: Pieces): Pieces {
  const lastEnd = { script: pieces.lastIndexOf('</script>'), style: pieces.lastIndexOf('</style>') };
  const broken: string[] = [];
  let until: string | undefined;
  for (const [at, piece] of pieces.entries()) {
    if (until === undefined) {
      const name = /^<(script|style)/.exec(piece)?.[1] as keyof typeof lastEnd | undefined;
      if (name && lastEnd[name] > at) until = `</${name}>`;
    } else if (piece === until) until = undefined;
    if (piece === '<br>' || piece === '<br/>') broken.push(BREAK);
    else if (until !== undefined || !isText(piece)) broken.push(piece);
    else broken.push(...linesOf(piece, broken.at(-1) === BREAK ? 1 : 0));
  }
  return joinText(broken);
}

/** The text with a break for every run of white space that ends a line, from the given position on. */
function linesOf(text: string, from: number): Pieces {
  const broken = text.slice(from).replace(/[ \t\n\v\f\r]+/g, (space) => {
    const lineEnd = space.lastIndexOf('\n');
    return lineEnd < 0 ? space : `${BREAK}${space.slice(lineEnd)}`;
  });
  return [text.slice(0, from), ...broken.split(/(<br \/>)/)].filter((part) => part !== '');
}

/** Rewrites from left to right, and continues after each rewriting. */
function rewrite(pieces: Pieces, rewritingAt: Rewrite): Pieces {
  const rewritten: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const { take, put } = rewritingAt(pieces, at) ?? { take: 1, put: pieces.slice(at, at + 1) };
    rewritten.push(...put);
    at += take;
  }
  return joinText(rewritten);
}

function joinText(pieces: Pieces): Pieces {
  const joined: string[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && isText(last) && isText(piece)) joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}

function isText(piece: string): boolean {
  return !piece.startsWith('<');
}

function isBlockOfOneLine(piece = ''): boolean {
  return isBlockTag(piece) && !piece.includes('\n');
}

/** The position of the first piece from `at` on that is more than white space. */
function afterSpace(pieces: Pieces, at: number): number {
  const piece = pieces[at];
  return piece !== undefined && /^[ \t\n\v\f\r]*$/.test(piece) ? at + 1 : at;
}

/** Replaces the `pre` elements of a text: `html` has an empty one for each, and `restore` puts them back. */
function setVerbatimAside(text: string): { html: string; restore: (html: string) => string } {
  if (!text.includes('<pre')) return { html: text, restore: (html) => html };
  const aside: string[] = [];
  const parts = text.split('</pre>');
  const rest = parts.pop() ?? '';
  const shortened = parts.map((part) => {
    const start = part.indexOf('<pre');
    if (start < 0) return part;
    aside.push(`${part.slice(start)}</pre>`);
    return `${part.slice(0, start)}<pre ${MARK}${aside.length - 1}></pre>`;
  });
  return {
    html: shortened.join('') + rest,
    restore: (html) => html.replace(/<pre \ufdd3(\d+)><\/pre>/g, (mark, index) => aside[Number(index)] ?? mark),
  };
}
