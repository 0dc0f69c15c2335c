import { literalPattern } from '../../models/literal-pattern.ts';

import { tagsOfOneLine } from './markup/html-pieces.ts';
import type { RenderSettings } from './render-context.ts';
import { WORD_SPACE } from './markup/white-space.ts';

/** The one smiley that is no emoji but an image of the site. */
const GREEN_GRIN = ':mrgreen:';

/** Smilies, each followed by its emoji. */
const TABLE =
  ':neutral: 😐 :twisted: 😈 :arrow: ➡ :shock: 😯 :smile: 🙂 :???: 😕 :cool: 😎 :evil: 👿 ' +
  ':grin: 😀 :idea: 💡 :oops: 😳 :razz: 😛 :roll: 🙄 :wink: 😉 :cry: 😥 :eek: 😮 ' +
  ':lol: 😆 :mad: 😡 :sad: 🙁 8-) 😎 8-O 😯 :-( 🙁 :-) 🙂 :-? 😕 ' +
  ':-D 😀 :-P 😛 :-o 😮 :-x 😡 :-| 😐 ;-) 😉 8O 😯 :( 🙁 ' +
  ':) 🙂 :? 😕 :D 😀 :P 😛 :o 😮 :x 😡 :| 😐 ;) 😉 ' +
  ':!: ❗ :?: ❓';

const SMILIES = new Map([...TABLE.matchAll(/(\S+) (\S+)/g)].map(([, smiley = '', emoji = '']) => [smiley, emoji]));

const BY_DESCENDING_LENGTH = [GREEN_GRIN, ...SMILIES.keys()].sort((one, other) => other.length - one.length);
const SMILEY = new RegExp(
  `(?<=${WORD_SPACE}|^)(?:${BY_DESCENDING_LENGTH.map(literalPattern).join('|')})(?=${WORD_SPACE}|$)`,
  'gm',
);
const VERBATIM = /^<(code|pre|style|script|textarea)[^>]*>/;

/** Writes smilies between white space as emoji, if the settings ask for it, but none in `code`, `pre` and the like. */
export function showSmilies(html: string, { smilies, siteUrl }: RenderSettings): string {
  if (!smilies) return html;
  let verbatim: string | undefined;
  return tagsOfOneLine(html)
    .map(({ source }) => {
      verbatim ??= VERBATIM.exec(source)?.[1];
      const shown =
        verbatim || source.startsWith('<') ? source : source.replace(SMILEY, (smiley) => picture(smiley, siteUrl));
      if (source === `</${verbatim}>`) verbatim = undefined;
      return shown;
    })
    .join('');
}

function picture(smiley: string, siteUrl: string): string {
  if (smiley !== GREEN_GRIN) return SMILIES.get(smiley) ?? smiley;
  const source = `${siteUrl}/wp-includes/images/smilies/mrgreen.png`;
  return `<img src="${source}" alt="${smiley}" class="wp-smiley" style="height: 1em; max-height: 1em;" />`;
}
