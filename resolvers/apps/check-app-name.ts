import { ServiceError } from '../../schema/service-error.ts';

import { checkName } from '../../schema/check-name.ts';

/** The service's name, which no app may have in its own. */
const SERVICE_NAME = 'waybridge';

/** Characters that are not seen, or that change how others are shown: control, format, bidi, private use, separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Scripts whose letters are taken for each other's, so that no word may mix them (Unicode TR 39, section 5.2). */
const LOOKALIKE_SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);

/** Letters and digits that pass for a Latin letter of the service's name (Unicode TR 39, `confusables.txt`). */
const LOOKALIKES: Readonly<Record<string, readonly string[]>> = {
  a: ['4', '@', 'а', 'α', 'ɑ'],
  b: ['8', 'ь', 'ƅ', 'Ꮟ', 'в', 'β'],
  d: ['ԁ', 'ɗ', 'Ꮷ'],
  e: ['3', 'е', 'ҽ', 'ε', 'є'],
  g: ['9', '6', 'ɡ', 'ց', 'ԍ'],
  i: ['1', 'l', '!', '|', 'і', 'ı', 'ι', 'ɩ', 'ӏ'],
  r: ['г', 'ᴦ', 'ꭇ'],
  w: ['ԝ', 'ѡ', 'ω', 'ա', 'ɯ', 'ш', 'vv'],
  y: ['у', 'ү', 'γ', 'ʏ', 'ყ'],
};

/**
 * Checks and trims the name of an app, which people see who are asked for access: one line of visible characters that
 * cannot pass for the service's own.
 *
 * @throws ServiceError BAD_REQUEST naming `name`
 */
export function checkAppName(text: string): string {
  if (INVISIBLE.test(text.trim())) {
    throw new ServiceError('BAD_REQUEST', 'name must not have control, format or other invisible characters');
  }
  const name = checkName('name', text);
  for (const [word] of name.normalize('NFKC').matchAll(WORD)) {
    if (LOOKALIKE_SCRIPTS.filter((script) => script.test(word)).length > 1) {
      throw new ServiceError('BAD_REQUEST', `name must not mix alphabets in one word: ${word}`);
    }
  }
  if (skeletonOf(name).includes(SERVICE_NAME)) {
    throw new ServiceError('BAD_REQUEST', 'name must not look like the name of this service');
  }
  return name;
}

/** The Latin letters that a text looks like, without marks, spaces and punctuation. */
function skeletonOf(text: string): string {
  let skeleton = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  for (const [letter, lookalikes] of Object.entries(LOOKALIKES)) {
    for (const lookalike of lookalikes) skeleton = skeleton.replaceAll(lookalike, letter);
  }
  return skeleton.replace(/[^a-z]/g, '');
}
