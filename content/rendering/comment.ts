import { escapeLooseAmpersands } from './typography/ampersands.ts';
import { autop } from './typography/autop.ts';
import { balanceTags } from './markup/balance-tags.ts';
import { capitalP } from './typography/capital-p.ts';
import { makeClickable } from './typography/clickable.ts';
import type { RenderSettings } from './render-context.ts';
import { showSmilies } from './smilies.ts';
import { texturize } from './typography/texturize.ts';

/** The text of a comment as HTML: typography, links and paragraphs made, and no element left open. */
export function renderComment(raw: string, settings: RenderSettings): string {
  const typeset = escapeLooseAmpersands(texturize(makeClickable(raw)));
  return capitalP(autop(balanceTags(showSmilies(typeset, settings))));
}
