/**
 * A stretch of HTML source: text, a tag (or anything else that `<` begins), a comment, or a shortcode. Joined again, pieces are
 * the source.
 */
export interface HtmlPiece {
  readonly kind: 'text' | 'tag' | 'comment' | 'shortcode';
  readonly source: string;
}

const COMMENT = '<!(?=--)[^]*?(?:-->|$)';
const CDATA = '<!\\[CDATA\\[[^]*?(?:\\]\\]>|$)';
const TAG = '<[^>]*>?';

/** Markup from `<` up to its end, or to the end of the text if it is never closed. */
const MARKUP = new RegExp(`${COMMENT}|${CDATA}|${TAG}`, 'g');

/** Cuts HTML source, well formed or not, into pieces. `delimiter` (a global pattern) matches everything that is not text. */
export function htmlPieces(source: string, delimiter: RegExp = MARKUP): HtmlPiece[] {
  const pieces: HtmlPiece[] = [];
  let end = 0;
  for (const match of source.matchAll(delimiter)) {
    if (match.index > end) pieces.push({ kind: 'text', source: source.slice(end, match.index) });
    end = match.index + match[0].length;
    pieces.push({ kind: kindOf(match[0]), source: match[0] });
  }
  if (end < source.length) pieces.push({ kind: 'text', source: source.slice(end) });
  return pieces;
}

function kindOf(delimiter: string): HtmlPiece['kind'] {
  if (delimiter.startsWith('<!--')) return 'comment';
  return delimiter.startsWith('<') ? 'tag' : 'shortcode';
}

/** As {@link htmlPieces}, but only what `<` begins and the next `>` ends in the same line is a tag; comments are tags. */
export function tagsOfOneLine(source: string): HtmlPiece[] {
  const nextEnd = forwardFinder(source, '>');
  const nextLine = forwardFinder(source, '\n');
  const pieces: HtmlPiece[] = [];
  let textStart = 0;
  for (let start = source.indexOf('<'); start >= 0; ) {
    const end = nextEnd(start);
    if (end < 0) break;
    const line = nextLine(start);
    const isTag = line < 0 || end < line;
    if (isTag) {
      if (start > textStart) pieces.push({ kind: 'text', source: source.slice(textStart, start) });
      pieces.push({ kind: 'tag', source: source.slice(start, end + 1) });
      textStart = end + 1;
    }
    start = source.indexOf('<', isTag ? textStart : line);
  }
  if (textStart < source.length) pieces.push({ kind: 'text', source: source.slice(textStart) });
  return pieces;
}

/** Makes a search for `needle` from growing positions: the next index, or -1. All searches together read the text once. */
export function forwardFinder(text: string, needle: string): (from: number) => number {
  let found = text.indexOf(needle);
  return (from) => {
    if (found >= 0 && found < from) found = text.indexOf(needle, from);
    return found;
  };
}
