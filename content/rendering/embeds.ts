import { createHash } from 'node:crypto';

import { cleanUrl } from './markup/clean-url.ts';
import { escapeAttribute, escapeMarkup } from './markup/escape-markup.ts';
import { htmlPieces } from './markup/html-pieces.ts';
import { stripTags } from './plain-text.ts';
import { replaceShortcodes } from './markup/shortcodes.ts';
import type { EmbeddedPost, RenderContext } from './render-context.ts';

const ADDRESS = 'https?://[^ \\t\\n\\v\\f\\r<>"]+';
const ON_ITS_OWN_LINE = new RegExp(`^([ \\t\\v\\f\\r]*)(${ADDRESS})(?=[ \\t\\v\\f\\r]*$)`, 'gim');
const IN_ITS_OWN_PARAGRAPH = new RegExp(
  `(<p(?: [^<>]*)?>[ \\t\\n\\v\\f\\r]*)(${ADDRESS})(?=[ \\t\\n\\v\\f\\r]*</p>)`,
  'gi',
);

/** Stands for the line ends of tags, so that no line begins inside a tag: a character that Unicode reserves for internal use. */
const LINE_END = '\ufdd4';

type Around = Pick<RenderContext, 'postAt' | 'siteName'>;

/** Default width of an embed in the reference, and 9/16 of it as height. */
const WIDTH = 500;
const HEIGHT = 282;

/** Shows posts of this website whose address stands alone or in an `embed` shortcode, where others become links. */
export function embedPosts(text: string, renderContext: Around): string {
  const embedded = replaceShortcodes(
    text,
    ({ content = '' }) => {
      const address = content.replaceAll('&amp;', '&');
      return address === '' ? '' : (shownAt(address, renderContext) ?? linkTo(address));
    },
    ['embed'],
  );
  const show = (_all: string, before: string, written: string) => {
    const address = written.replaceAll('&amp;', '&');
    return before + (shownAt(address, renderContext) ?? address);
  };
  return withTagsInOneLine(embedded)
    .replace(ON_ITS_OWN_LINE, show)
    .replace(IN_ITS_OWN_PARAGRAPH, show)
    .replaceAll(LINE_END, '\n');
}

/** The addresses that {@link embedPosts} looks up. */
export function embeddedAddresses(text: string): string[] {
  const addresses: string[] = [];
  const postAt = (address: string) => {
    addresses.push(address);
    return undefined;
  };
  embedPosts(text, { postAt, siteName: '' });
  return addresses;
}

function withTagsInOneLine(text: string): string {
  return htmlPieces(text)
    .map(({ kind, source }) => (kind === 'text' ? source : source.replaceAll('\n', LINE_END)))
    .join('');
}

function shownAt(address: string, { postAt, siteName }: Around): string | undefined {
  const post = postAt(address);
  return post && embedOf(post, siteName);
}

/** A link for readers who see no frame, and a frame that becomes visible once its page reports that it is ready. */
function embedOf({ link, title }: EmbeddedPost, siteName: string): string {
  const secret = createHash('sha256').update(link).digest('hex').slice(0, 10);
  const name = escapeAttribute(`&#8220;${title}&#8221; &#8212; ${siteName}`);
  return (
    `<blockquote class="wp-embedded-content" data-secret="${secret}"><a href="${cleanUrl(link, 'shown')}">${stripTags(title)}</a></blockquote>` +
    '<iframe class="wp-embedded-content" sandbox="allow-scripts" security="restricted" ' +
    'style="position: absolute; clip: rect(1px, 1px, 1px, 1px);" ' +
    `src="${cleanUrl(`${link}embed/`, 'shown')}#?secret=${secret}" data-secret="${secret}" width="${WIDTH}" height="${HEIGHT}" ` +
    `title="${name}" frameborder="0" marginwidth="0" marginheight="0" scrolling="no"></iframe>`
  );
}

function linkTo(address: string): string {
  return `<a href="${cleanUrl(address, 'shown')}">${escapeMarkup(address)}</a>`;
}
