import { escapeLooseAmpersands } from './ampersands.ts';
import { texturize } from './texturize.ts';
import { trimAscii } from './white-space.ts';

/** The title of a post as HTML of one line, from what its author wrote. */
export function renderTitle(raw: string): string {
  return trimAscii(escapeLooseAmpersands(texturize(raw))).replaceAll('Wordpress', 'WordPress');
}
