import { forwardFinder } from './html-pieces.ts';

/** The shortcodes that the website knows; any other text in brackets is text. */
export const SHORTCODES = ['embed', 'wp_caption', 'caption', 'gallery', 'playlist', 'audio', 'video'] as const;

/** A shortcode as it stands in a text, from `start` to `end`. */
export interface Shortcode {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Source after the name. */
  readonly attributes: string;
  /** Source between the tags; absent if there is one tag only. */
  readonly content?: string;
  /** End of the first tag. */
  readonly tagEnd: number;
}

const OPENING = new RegExp(`\\[(${SHORTCODES.join('|')})(?![\\w-])([^\\]/]*(?:/(?!\\])[^\\]/]*)*)(/?)\\]`, 'g');

/** The shortcodes of a text that are not inside another, in order. */
export function shortcodesOf(text: string): Shortcode[] {
  if (!text.includes('[')) return [];
  const found: Shortcode[] = [];
  const closings = new Map(SHORTCODES.map((name) => [name as string, forwardFinder(text, `[/${name}]`)]));
  let from = 0;
  // Beyond the last bracket nothing can end, so nothing is tried.
  for (const match of text.slice(0, text.lastIndexOf(']') + 1).matchAll(OPENING)) {
    const [tag, name = '', attributes = '', slash] = match;
    if (match.index < from) continue;
    const tagEnd = match.index + tag.length;
    const close = closings.get(name)?.(tagEnd) ?? -1;
    const hasContent = slash === '' && close >= 0;
    const end = hasContent ? close + `[/${name}]`.length : tagEnd;
    const content = hasContent ? { content: text.slice(tagEnd, close) } : {};
    found.push({ start: match.index, end, name, attributes, tagEnd, ...content });
    from = end;
  }
  return found;
}

/** Replaces each shortcode with one of some names by the result of `written`; one in double brackets is text and loses a pair. */
export function replaceShortcodes(
  text: string,
  written: (shortcode: Shortcode) => string,
  names: readonly string[] = SHORTCODES,
): string {
  let from = 0;
  const parts: string[] = [];
  for (const shortcode of shortcodesOf(text)) {
    if (!names.includes(shortcode.name)) continue;
    const isEscaped = text[shortcode.start - 1] === '[' && text[shortcode.end] === ']';
    parts.push(text.slice(from, isEscaped ? shortcode.start - 1 : shortcode.start));
    parts.push(isEscaped ? text.slice(shortcode.start, shortcode.end) : written(shortcode));
    from = isEscaped ? shortcode.end + 1 : shortcode.end;
  }
  return parts.join('') + text.slice(from);
}

const PARAGRAPH_START = /<p>(?:[\r\n\t \u00a0]|&nbsp;)*$/;
const PARAGRAPH_END = /(?:[\r\n\t \u00a0]|&nbsp;)*<\/p>/y;

/** Removes the paragraph around a shortcode that is alone in it, with its content if it has any. */
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

const ATTRIBUTE = /([\w-]+)[ \t\n\v\f\r]*=[ \t\n\v\f\r]*(?:"([^"]*)"|'([^']*)'|([^\s'"]+))(?=\s|$)/g;

/** Reads the attributes of a shortcode: names in lower case, the last of a name counts. What has no name is omitted. */
export function shortcodeAttributes(source: string): ReadonlyMap<string, string> {
  const spaced = source.replace(/[\u00a0\u200b]+/g, ' ');
  return new Map(
    [...spaced.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      double ?? single ?? bare ?? '',
    ]),
  );
}
