import { ALLOWED_HTML, type AllowedHtml } from './allowed-html.ts';
import { escapeAttribute, normalizeReferences } from './escape-markup.ts';
import { forwardFinder } from './html-pieces.ts';
import { safeAttributes } from './safe-attributes.ts';
import { withoutControls } from './clean-url.ts';

const MAX_ROUNDS = 8;

/**
 * Removes everything from HTML that its author may not use: elements, attributes, protocols and style declarations that
 * are not on the list of that place (content of a removed element stays as text). What is allowed stays as it is written.
 */
export function sanitizeHtml(html: string, place: 'post' | 'comment'): string {
  return sanitize(html, ALLOWED_HTML[place]);
}

function sanitize(html: string, allowed: AllowedHtml): string {
  const text = escapeUnclosedTags(normalizeReferences(withoutControls(html)));
  const nextEnd = forwardFinder(text, '>');
  const nextComment = commentFinder(text);
  const written: string[] = [];
  let from = 0;
  for (let at = nextMarkup(text, 0); at < text.length; at = nextMarkup(text, from)) {
    written.push(text.slice(from, at));
    const commentEnd = nextComment(at);
    const tagEnd = nextEnd(at) + 1 || text.length;
    from = commentEnd ?? tagEnd;
    written.push(safeMarkup(text.slice(at, from), allowed));
  }
  return written.join('') + text.slice(from);
}

/** A `<` that another follows before any `>` begins no tag: it is text, with everything up to the other. */
function escapeUnclosedTags(text: string): string {
  return text.replace(/<[^<>]*(?=<|$)/g, (unclosed) => escapeAttribute(unclosed));
}

function nextMarkup(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '<' || text[at] === '>') return at;
  return text.length;
}

/** Finds the end of the comment that begins at a position; undefined if none begins there, or it does not end in its line. */
function commentFinder(text: string): (at: number) => number | undefined {
  const nextLine = forwardFinder(text, '\n');
  const nextEnd = forwardFinder(text, '-->');
  return (at) => {
    if (!text.startsWith('<!--', at)) return undefined;
    const line = nextLine(at);
    const end = nextEnd(at + 4);
    if (end >= 0 && (line < 0 || end < line)) return end + 3;
    if (line < 0) return text.length;
    return line === text.length - 1 ? line : undefined;
  };
}

function safeMarkup(source: string, allowed: AllowedHtml): string {
  const markup = source.replaceAll('\\"', '"');
  if (!markup.startsWith('<')) return '&gt;';
  if (markup.startsWith('<!--')) return safeComment(markup, allowed);
  const [, slash, element = '', attributes = ''] = /^<\s*(\/\s*)?([a-zA-Z0-9-]+)([^>]*)>?$/.exec(markup) ?? [];
  const allowedAttributes = allowed.get(element.toLowerCase());
  if (!allowedAttributes) return '';
  if (slash !== undefined) return `</${element}>`;
  const end = /\/\s*$/.test(attributes) ? ' /' : '';
  return `<${element}${safeAttributes(attributes, allowedAttributes)}${end}>`;
}

/** A comment is sanitized like text, since it may be read as text, repeatedly until nothing more is found. */
function safeComment(markup: string, allowed: AllowedHtml): string {
  let content = markup.replaceAll('<!--', '').replaceAll('-->', '');
  for (let round = 0; ; round++) {
    const safer = sanitize(content, allowed);
    if (safer === content) break;
    if (round === MAX_ROUNDS) return '';
    content = safer;
  }
  return content === '' ? '' : `<!--${content.replace(/--+/g, '-').replace(/-$/, '')}-->`;
}
