import { forwardFinder } from './forward-finder.ts';

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
  // Beyond the last bracket nothing can end, and nothing need be tried.
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

/** Replaces each shortcode of some names by what `written` returns; one in double brackets is text and loses a pair. */
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
