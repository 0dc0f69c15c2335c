import { trimAscii } from './markup/white-space.ts';

/** Markup that a `<` may begin: a tag, a declaration, a comment, or a processing instruction. */
type Markup = 'tag' | 'declaration' | 'comment' | 'instruction';

/**
 * Removes tags, comments and instructions from HTML source and leaves everything else unchanged. A `<` before white space is
 * text; one before anything else begins a tag, closed or not. Quoted `>` and tags within a tag do not end it.
 */
export function stripTags(html: string): string {
  if (!html.includes('<')) return html;
  let text = '';
  let markup: Markup | undefined;
  let nested = 0;
  let quote = '';
  for (let at = 0; at < html.length; at++) {
    const char = html.charAt(at);
    if (char === '>' && nested > 0 && markup !== 'comment') nested--;
    else if (markup === undefined) {
      if (char === '<' && !isSpace(html, at + 1)) markup = 'tag';
      else text += char;
    } else if (markup === 'comment') {
      if (quote === '' && html.startsWith('-->', at - 2)) markup = undefined;
    } else if (markup === 'tag' && html[at - 1] === '<' && (char === '?' || char === '!')) {
      markup = char === '?' ? 'instruction' : 'declaration';
    } else if (markup === 'declaration' && html.startsWith('<!--', at - 3)) {
      markup = 'comment';
    } else if (char === quote) {
      quote = '';
    } else if (quote === '') {
      if (markup === 'tag' && char === '<' && !isSpace(html, at + 1)) nested++;
      else if (char === '>' && (markup !== 'instruction' || html[at - 1] === '?')) markup = undefined;
      else if (char === '"' || char === "'") quote = char;
    }
  }
  return text;
}

function isSpace(text: string, at: number): boolean {
  return /[ \t\n\v\f\r]/.test(text.charAt(at));
}

/** Removes scripts and styles with their content and all other tags without it, and trims the text. */
export function plainText(html: string): string {
  return trimAscii(stripTags(withoutScripts(html)));
}

const NAMES = ['script', 'style'] as const;

function withoutScripts(html: string): string {
  const lower = html.toLowerCase();
  const lastEnd = { script: lower.lastIndexOf('</script>'), style: lower.lastIndexOf('</style>') };
  const parts: string[] = [];
  let from = 0;
  for (let at = lower.indexOf('<s'); at >= 0; at = lower.indexOf('<s', Math.max(at + 1, from))) {
    const name = NAMES.find((candidate) => lower.startsWith(candidate, at + 1));
    const tagEnd = name && lastEnd[name] > at ? html.indexOf('>', at) : -1;
    const end = name && tagEnd >= 0 ? lower.indexOf(`</${name}>`, tagEnd + 1) : -1;
    if (!name || end < 0) continue;
    parts.push(html.slice(from, at));
    from = end + name.length + 3;
  }
  return parts.join('') + html.slice(from);
}
