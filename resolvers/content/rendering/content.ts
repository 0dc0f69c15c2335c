import { autop } from './autop.ts';
import { capitalP } from './capital-p.ts';
import type { RenderSettings } from './render-settings.ts';
import { showSmilies } from './smilies.ts';
import { texturize } from './texturize.ts';
import { unwrapShortcodes } from './unwrap-shortcodes.ts';

/** The content of a post as HTML, from what its author wrote. */
export function renderContent(raw: string, settings: RenderSettings): string {
  return showSmilies(capitalP(unwrapShortcodes(autop(texturize(raw)))), settings);
}
