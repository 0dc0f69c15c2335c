import { escapeAttribute } from '../rendering/markup/escape-markup.ts';

import { HOST_SCRIPT } from './host-script.ts';

/** An item of the website as another site embeds it. */
export interface EmbeddedItem {
  /** Address of the page that shows it whole. */
  readonly link: string;
  /** Its title as HTML. */
  readonly title: string;
  readonly siteName: string;
  /** Of the frame, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** The address of the form in which an item is embedded; `link` as it is shown. */
export function embedUrl(link: string): string {
  return link.includes('?') ? `${link}&embed=true` : `${link}embed/`;
}

/** The markup that an embedding site puts into its page: a link, and a frame that a script sizes. */
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
