import { escapeLooseAmpersands } from './typography/ampersands.ts';
import { texturize } from './typography/texturize.ts';
import { trimAscii } from './markup/white-space.ts';

/** The title of a post as HTML of one line, from what its author wrote. */
export function renderTitle(raw: string): string {
  return trimAscii(escapeLooseAmpersands(texturize(raw))).replaceAll('Wordpress', 'WordPress');
}
