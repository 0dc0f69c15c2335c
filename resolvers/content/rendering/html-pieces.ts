/** A stretch of HTML source: text, a tag (or what else `<` begins), a comment, or a shortcode. Joined again, pieces are the source. */
export interface HtmlPiece {
  readonly kind: 'text' | 'tag' | 'comment' | 'shortcode';
  readonly source: string;
}

const COMMENT = '<!(?=--)[^]*?(?:-->|$)';
const CDATA = '<!\\[CDATA\\[[^]*?(?:\\]\\]>|$)';
const TAG = '<[^>]*>?';

/** What `<` begins up to its end, or to the end of the text if it is never closed. */
const MARKUP = new RegExp(`${COMMENT}|${CDATA}|${TAG}`, 'g');

/** Tags and comments that begin and end in one line. */
export const MARKUP_OF_ONE_LINE = /<[^>\n]*>/g;

/**
 * Cuts HTML source into pieces, without judging whether it is well formed. `delimiter` (a global regular expression) says
 * what is not text; by default that is markup.
 */
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
