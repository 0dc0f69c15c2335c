import { escapeLooseAmpersands } from './ampersands.ts';
import { autop } from './autop.ts';
import { balanceTags } from './balance-tags.ts';
import { capitalP } from './capital-p.ts';
import { makeClickable } from './clickable.ts';
import type { RenderSettings } from './render-settings.ts';
import { showSmilies } from './smilies.ts';
import { texturize } from './texturize.ts';

/** The text of a comment as HTML: typography, links and paragraphs made, and no element left open. */
export function renderComment(raw: string, settings: RenderSettings): string {
  const typeset = escapeLooseAmpersands(texturize(makeClickable(raw)));
  return capitalP(autop(balanceTags(showSmilies(typeset, settings))));
}
