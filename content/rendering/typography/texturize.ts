import { htmlPieces } from '../markup/html-pieces.ts';
import { SHORTCODES } from '../markup/shortcodes.ts';
import { trimAscii, WORD_SPACE } from '../markup/white-space.ts';

/** In these elements every character is literal. */
const VERBATIM = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt']);

/** Fixed spellings, each replaced in order. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['...', '&#8230;'],
  ['``', '&#8220;'],
  ["''", '&#8221;'],
  [' (tm)', ' &#8482;'],
  ["'tain't", '&#8217;tain&#8217;t'],
  ...['twere', 'twas', 'tis', 'twill', 'til', 'bout', 'nuff', 'round', 'cause', 'em'].map(
    (word) => [`'${word}`, `&#8217;${word}`] as const,
  ),
];

/** Placeholders for marks that are decided but not written yet: characters that Unicode reserves for internal use. */
const OPENING = '\ufdd0';
const APOSTROPHE = '\ufdd1';
const UNDECIDED = '\ufdd2';

const AFTER_DIGIT = new RegExp(`(?<=\\d)${UNDECIDED}`, 'g');
const NOT_AFTER_DIGIT = new RegExp(`(?<!\\d)${UNDECIDED}`, 'g');

interface Mark {
  readonly sign: string;
  readonly opening: string;
  readonly closing: string;
  readonly prime: string;
  /** Replacements that are certain before primes and closing quotes are distinguished, in order. */
  readonly certain: readonly (readonly [RegExp, string])[];
  readonly beforeEnd: RegExp;
  readonly afterDigit: RegExp;
}

/** The text that may follow a closing quotation mark. */
const QUOTE_END = `(?=$|[.,:;!?)}\\-\\]]|&gt;|${WORD_SPACE})`;

const SINGLE: Mark = {
  sign: "'",
  opening: '&#8216;',
  closing: '&#8217;',
  prime: '&#8242;',
  certain: [
    // A year of two digits that ends a quotation: 'in '99'.
    [new RegExp(`'(\\d\\d)'${QUOTE_END}`, 'g'), `${APOSTROPHE}$1&#8217;`],
    [new RegExp(`'(\\d\\d)"${QUOTE_END}`, 'g'), `${APOSTROPHE}$1&#8221;`],
    // Any other year: '99s, but not '999, '99% or '99.5.
    [/'(?=\d\d(?:$|(?![%\d]|[.,]\d)))/g, APOSTROPHE],
    // A quoted number.
    [new RegExp(`(?<=^|${WORD_SPACE})'(\\d[.,\\d]*)'`, 'g'), `${OPENING}$1&#8217;`],
    // An opening mark: at the start, after white space or an opening bracket.
    [new RegExp(`(?<=^|[([{"\\-]|&lt;|${WORD_SPACE})'`, 'g'), OPENING],
    // Inside a word.
    [new RegExp(`(?<!${WORD_SPACE})'(?!$|[.,:;!?"'(){}[\\]\\-]|&[lg]t;|${WORD_SPACE})`, 'g'), APOSTROPHE],
  ],
  beforeEnd: new RegExp(`'${QUOTE_END}`, 'g'),
  afterDigit: /(?<=\d)'/g,
};

const DOUBLE: Mark = {
  sign: '"',
  opening: '&#8220;',
  closing: '&#8221;',
  prime: '&#8243;',
  certain: [
    [new RegExp(`(?<=^|${WORD_SPACE})"(\\d[.,\\d]*)"`, 'g'), `${OPENING}$1&#8221;`],
    [new RegExp(`(?<=^|[([{\\-]|&lt;|${WORD_SPACE})"(?!${WORD_SPACE})`, 'g'), OPENING],
  ],
  beforeEnd: new RegExp(`"${QUOTE_END}`, 'g'),
  afterDigit: /(?<=\d)"/g,
};

const DASHES: readonly (readonly [RegExp, string])[] = [
  [/---/g, '&#8212;'],
  [new RegExp(`(?<=^|${WORD_SPACE})--(?=$|${WORD_SPACE})`, 'g'), '&#8212;'],
  // xn-- begins an internationalized domain name.
  [/(?<!xn)--/g, '&#8211;'],
  [new RegExp(`(?<=^|${WORD_SPACE})-(?=$|${WORD_SPACE})`, 'g'), '&#8211;'],
];

/** Comments, tags, and the tags of shortcodes, whose values may contain tags. */
const NOT_TEXT = new RegExp(
  `<!(?=--)[^]*?(?:-->|$)|<[^>]*>?|\\[[/[]?(?:${SHORTCODES.join('|')})(?=[\\s\\]/])(?:[^[\\]<>]|<[^[\\]>]*>)*\\]\\]?`,
  'g',
);

/**
 * Writes straight quotation marks, dashes, primes, ellipses and the like as typographic characters (numeric references),
 * in text only: tags, comments, shortcodes and the content of `pre`, `code`, `kbd`, `style`, `script` and `tt` stay as they
 * are, except bare ampersands in tags.
 */
export function texturize(html: string): string {
  const verbatim: string[] = [];
  return htmlPieces(html, NOT_TEXT)
    .map(({ kind, source }) => {
      if (kind === 'tag') {
        const tag = escapeAmpersands(source);
        noteVerbatim(tag, verbatim);
        return tag;
      }
      if (kind !== 'text' || verbatim.length > 0 || trimAscii(source) === '') return source;
      return texturizeText(source);
    })
    .join('');
}

/** Follows which verbatim elements are open; a closing tag counts if it is the innermost one's. */
function noteVerbatim(tag: string, open: string[]): void {
  const isClosing = tag[1] === '/';
  const space = tag.indexOf(' ');
  const name = tag.slice(isClosing ? 2 : 1, space < 0 ? -1 : space);
  if (!VERBATIM.has(name)) return;
  if (!isClosing) open.push(name);
  else if (open.at(-1) === name) open.pop();
}

function texturizeText(plain: string): string {
  let text = plain;
  for (const [spelling, mark] of SPELLINGS) text = text.replaceAll(spelling, mark);
  if (text.includes("'")) text = quotationMarks(text, SINGLE);
  if (text.includes('"')) text = quotationMarks(text, DOUBLE);
  for (const [dash, mark] of DASHES) text = text.replace(dash, mark);
  return escapeAmpersands(multiplicationSigns(text));
}

function quotationMarks(text: string, mark: Mark): string {
  const certain = mark.certain.reduce((current, [pattern, sign]) => current.replace(pattern, sign), text);
  return certain
    .split(OPENING)
    .map((stretch, index) => closeQuotation(stretch, index > 0, mark))
    .join(mark.opening)
    .replaceAll(APOSTROPHE, '&#8217;');
}

/** Decides the marks after an opening one: one that may close comes first (7" looks alike), then digits get primes. */
function closeQuotation(stretch: string, isQuotation: boolean, mark: Mark): string {
  if (!stretch.includes(mark.sign)) return stretch;
  const decided =
    isQuotation && !stretch.includes(mark.closing)
      ? closeOnce(stretch, mark)
      : stretch.replace(mark.afterDigit, mark.prime).replace(mark.beforeEnd, mark.closing);
  return mark.sign === '"' ? decided.replaceAll('"', mark.closing) : decided;
}

function closeOnce(stretch: string, mark: Mark): string {
  const candidates = stretch.replace(mark.beforeEnd, UNDECIDED);
  const count = candidates.split(UNDECIDED).length - 1;
  if (count <= 1) return candidates.replace(UNDECIDED, mark.closing).replace(mark.afterDigit, mark.prime);
  const closed = candidates.replace(NOT_AFTER_DIGIT, mark.closing);
  const settled = closed === candidates ? closeLast(candidates, mark) : closed;
  return settled
    .replace(mark.afterDigit, mark.prime)
    .replace(AFTER_DIGIT, mark.prime)
    .replaceAll(UNDECIDED, mark.closing);
}

/** All candidates follow digits: the last one before a full stop closes, or else the last. */
function closeLast(candidates: string, mark: Mark): string {
  const beforeStop = candidates.lastIndexOf(`${UNDECIDED}.`);
  const at = beforeStop >= 0 ? beforeStop : candidates.lastIndexOf(UNDECIDED);
  return candidates.slice(0, at) + mark.closing + candidates.slice(at + 1);
}

const BETWEEN_DIGITS = /(?<=\d)x(?=\d+(?!\w))/g;

/** Writes the `x` between two numbers, as in 1.5x20, as a multiplication sign; hexadecimal numbers (0x20) keep theirs. */
function multiplicationSigns(text: string): string {
  return text.replace(BETWEEN_DIGITS, (sign, at: number) => (numberEndsAt(text, at) ? '&#215;' : sign));
}

/** Returns true if a separate number ends before `end`: one that begins a word, and is not the 0 of 0x. */
function numberEndsAt(text: string, end: number): boolean {
  for (let at = end - 1; at >= 0 && /[\d.,]/.test(text.charAt(at)); at--) {
    const isLoneZero = text[at] === '0' && at === end - 1;
    if (/\d/.test(text.charAt(at)) && !/\w/.test(text.charAt(at - 1)) && !isLoneZero) return true;
  }
  return false;
}

const BARE = /&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi;
const LOOSE = /&([^#])(?![a-z1-4]{1,8};)/gi;

/** Writes every `&` that begins no character reference as `&#038;`. */
function escapeAmpersands(text: string): string {
  return text.replace(BARE, '&#038;');
}

/** As `escapeAmpersands`, but leaves whatever begins with `&#`, and an `&` at the end. */
export function escapeLooseAmpersands(text: string): string {
  return text.replace(LOOSE, '&#038;$1');
}
