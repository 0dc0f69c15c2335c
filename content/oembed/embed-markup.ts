import { escapeAttribute } from '../rendering/markup/escape-markup.ts';

/** An item of the website for embedding by other sites. */
export interface EmbeddedItem {
  /** Address of its page. */
  readonly link: string;
  /** Its title as HTML. */
  readonly title: string;
  readonly siteName: string;
  /** Size of the frame, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** The address of the embeddable form of an item; `link` is its permalink. */
export function embedUrl(link: string): string {
  return link.includes('?') ? `${link}&embed=true` : `${link}embed/`;
}

/** The markup that an embedding site puts into its page: a link, and a frame that is sized by a script. */
export function embedMarkup({ link, title, siteName, width, height }: EmbeddedItem): string {
  const name = escapeAttribute(`&#8220;${title}&#8221; &#8212; ${siteName}`);
  return (
    `<blockquote class="wp-embedded-content"><a href="${escapeAttribute(link)}">${title}</a></blockquote>\n` +
    `<script type='text/javascript'>\n<!--//--><![CDATA[//><!--\n${HOST_SCRIPT}\n//--><!]]>\n</script>` +
    `<iframe sandbox="allow-scripts" security="restricted" src="${escapeAttribute(embedUrl(link))}" width="${width}" ` +
    `height="${height}" title="${name}" frameborder="0" marginwidth="0" marginheight="0" scrolling="no" ` +
    'class="wp-embedded-content"></iframe>'
  );
}

/**
 * The script that runs in a page which embeds items of this website, once however many it embeds: it gives each frame a
 * secret, which authenticates the frame's messages. `height` sizes the frame that sent it, between 200 and 1,000 pixels;
 * `link` leads the page to an address of the frame's own site, when the reader acts in the frame.
 */
const HOST_SCRIPT = `(function (page, view) {
  view.wp = view.wp || {};
  if (view.wp.receiveEmbedMessage) return;
  var framesBy = function (selector) { return Array.prototype.slice.call(page.querySelectorAll(selector)); };
  view.wp.receiveEmbedMessage = function (event) {
    var told = event.data || {};
    if (!/^[a-zA-Z0-9]+$/.test(told.secret || '')) return;
    var mark = '[data-secret="' + told.secret + '"]';
    framesBy('blockquote' + mark).forEach(function (quote) { quote.style.display = 'none'; });
    framesBy('iframe' + mark).forEach(function (frame) {
      if (event.source !== frame.contentWindow) return;
      frame.removeAttribute('style');
      if (told.message === 'height') frame.height = Math.min(1000, Math.max(200, parseInt(told.value, 10) || 0));
      if (told.message === 'link') {
        var target = page.createElement('a');
        var own = page.createElement('a');
        target.href = told.value;
        own.href = frame.getAttribute('src');
        var isPage = target.protocol === 'https:' || target.protocol === 'http:';
        if (isPage && target.host === own.host && page.activeElement === frame) view.top.location.href = told.value;
      }
    });
  };
  var greet = function () {
    framesBy('iframe.wp-embedded-content').forEach(function (frame) {
      if (frame.getAttribute('data-secret')) return;
      var secret = Math.random().toString(36).slice(2, 12);
      frame.src += '#?secret=' + secret;
      frame.setAttribute('data-secret', secret);
    });
  };
  view.addEventListener('message', view.wp.receiveEmbedMessage, false);
  page.addEventListener('DOMContentLoaded', greet, false);
  view.addEventListener('load', greet, false);
})(document, window);`;
