import { texturize, escapeLooseAmpersands } from './typography/texturize.ts';
import { trimAscii } from './markup/white-space.ts';

/** In running text, the preceding character distinguishes the name from a part of a word. */
const NAME = /( |&#8216;|&#8220;|>|\()Wordpress/g;

/** The title of a post as HTML of one line, from its source. */
export function renderTitle(raw: string): string {
  return trimAscii(escapeLooseAmpersands(texturize(raw))).replaceAll('Wordpress', 'WordPress');
}

/** Writes the name of WordPress with its capital P. */
export function capitalP(html: string): string {
  return html.replace(NAME, '$1WordPress');
}
