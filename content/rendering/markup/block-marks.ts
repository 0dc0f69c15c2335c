/** Beginning of the comment that marks a block of WordPress's editor, such as `<!-- wp:paragraph {"align":"center"} -->`. */
const MARK = /^<!--\s+\/?wp:[a-z]/;
const COMMENT_END = '-->';

/** HTML without the marks of blocks; null if it has none. */
export function withoutBlockMarks(html: string): string | null {
  if (!html.includes('wp:')) return null;
  const parts = html.split(COMMENT_END);
  const last = parts.pop() ?? '';
  let hasMarks = false;
  const kept = parts.map((part) => {
    const start = part.indexOf('<!--');
    if (start < 0 || !MARK.test(part.slice(start))) return part + COMMENT_END;
    hasMarks = true;
    return part.slice(0, start);
  });
  return hasMarks ? kept.join('') + last : null;
}
