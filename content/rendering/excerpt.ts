import { autop } from './typography/autop.ts';
import { balanceTags } from './markup/balance-tags.ts';
import { forwardFinder } from './markup/html-pieces.ts';
import { plainText } from './plain-text.ts';
import { renderContent } from './content.ts';
import { replaceShortcodes, unwrapShortcodes } from './markup/shortcodes.ts';
import { showSmilies } from './smilies.ts';
import { NOWHERE, type RenderContext, type RenderSettings } from './render-context.ts';
import { texturize, escapeLooseAmpersands } from './typography/texturize.ts';

const MAX_WORDS = 55;
const MORE = ' [&hellip;]';
const MORE_TAG = '<!--more';
const PAGE_END = '<!--nextpage-->';

/** The excerpt of a post as HTML, possibly empty: the hand-written one (raw) or, if empty, one from the content (raw). */
export function renderExcerpt(
  excerpt: string,
  content: string,
  settings: RenderSettings,
  renderContext: RenderContext = NOWHERE,
): string {
  const text = excerpt === '' ? excerptOf(content, settings, renderContext) : excerpt;
  return unwrapShortcodes(autop(escapeLooseAmpersands(showSmilies(texturize(text), settings))));
}

/** The first 55 words of HTML as plain text, and a sign if there are more. */
export function trimExcerpt(html: string): string {
  const words = plainText(html)
    .split(/[\n\r\t ]+/)
    .filter((word) => word !== '');
  const shown = words.slice(0, MAX_WORDS).join(' ');
  return words.length > MAX_WORDS ? shown + MORE : shown;
}

function excerptOf(content: string, settings: RenderSettings, renderContext: RenderContext): string {
  const withoutShortcodes = replaceShortcodes(teaserOf(firstPageOf(content)), () => '');
  return trimExcerpt(renderContent(withoutShortcodes, settings, renderContext));
}

/** A post may be divided into pages; a page break at the very beginning is ignored. */
function firstPageOf(content: string): string {
  const pages = content.replaceAll(`\n${PAGE_END}`, PAGE_END).replaceAll(`${PAGE_END}\n`, PAGE_END);
  const start = pages.startsWith(PAGE_END) ? PAGE_END.length : 0;
  return content.includes(PAGE_END) ? (pages.slice(start).split(PAGE_END, 1)[0] ?? '') : content;
}

/** The text before the mark at which lists end a post (`<!--more … -->`, in one line); all of it without a mark. */
function teaserOf(page: string): string {
  const end = forwardFinder(page, '-->');
  const line = forwardFinder(page, '\n');
  for (let at = page.indexOf(MORE_TAG); at >= 0 && end(at) >= 0; at = page.indexOf(MORE_TAG, at + 1)) {
    const isInOneLine = line(at) < 0 || end(at) < line(at);
    if (isInOneLine) return balanceTags(page.slice(0, at));
  }
  return page;
}
