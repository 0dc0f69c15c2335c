import { shortcodesOf } from './markup/shortcodes.ts';

const PARAGRAPH_START = /<p>(?:[\r\n\t \u00a0]|&nbsp;)*$/;
const PARAGRAPH_END = /(?:[\r\n\t \u00a0]|&nbsp;)*<\/p>/y;

/** Takes the paragraph off a shortcode that stands alone in it, with its content if it has any. */
export function unwrapShortcodes(html: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, tagEnd } of shortcodesOf(html)) {
    const before = html.slice(from, start);
    const opening = PARAGRAPH_START.exec(before);
    const inner = [end, tagEnd].find((candidate) => paragraphEndAt(html, candidate) > 0);
    const isAlone = opening !== null && inner !== undefined;
    parts.push(isAlone ? before.slice(0, opening.index) : before, html.slice(start, isAlone ? inner : end));
    from = isAlone ? paragraphEndAt(html, inner) : end;
  }
  return parts.join('') + html.slice(from);
}

function paragraphEndAt(html: string, at: number): number {
  PARAGRAPH_END.lastIndex = at;
  return PARAGRAPH_END.test(html) ? PARAGRAPH_END.lastIndex : 0;
}
