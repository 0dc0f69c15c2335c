import fc from 'fast-check';
import { expect, test } from 'vitest';

import { renderComment, renderContent } from '../../../../content/rendering/content.ts';
import { renderExcerpt } from '../../../../content/rendering/excerpt.ts';
import { nofollowLinks } from '../../../../content/rendering/typography/links.ts';
import { cleanUrl } from '../../../../content/rendering/markup/clean-url.ts';
import { sanitizeHtml } from '../../../../content/rendering/markup/sanitize-html.ts';
import { slugOf } from '../../../../content/rendering/slug.ts';
import { textField } from '../../../../content/rendering/text-field.ts';
import { renderTitle } from '../../../../content/rendering/title.ts';
import { runSize } from '../../../services/run-size.ts';

const SETTINGS = { smilies: true, siteUrl: 'https://example.com' };
const RENDERINGS: Readonly<Record<string, (text: string) => string>> = {
  renderContent: (text) => renderContent(text, SETTINGS),
  renderExcerpt: (text) => renderExcerpt('', text, SETTINGS),
  renderComment: (text) => renderComment(text, SETTINGS),
  renderTitle,
  slugOf,
  textField,
  cleanUrl: (text) => cleanUrl(text, 'shown'),
  sanitizeHtml: (text) => sanitizeHtml(text, 'post'),
  nofollowLinks: (text) => nofollowLinks(text, 'https://example.com'),
};

/** Texts that take quadratic time wherever a search begins again at each of them and never finds an end. */
const REPEATED = [
  '<',
  '<!--',
  '<a ',
  '<p>',
  '<!--more',
  '[gallery ',
  '<p>[gallery]',
  '\n ',
  '1,1x',
  '<style',
  '<br ',
  '"',
  '&#0',
  'a.',
  'http://a.b/(',
];
const SIZE = 100_000;
/** Texts that take quadratic time wherever what comes to be by taking something out is taken out in another search. */
const NESTED = [
  ['%4', '1'],
  ['%0', 'a'],
] as const;
const NESTINGS = 100_000;
/** An excerpt is made of the rendered content, and a comment is typeset as a title is. */
const WHOLE = Object.entries(RENDERINGS).filter(([name]) => name !== 'renderContent' && name !== 'renderTitle');

test.each(WHOLE)(
  '%s ends soon with 100 kB of anything',
  (_, render) => {
    for (const unit of REPEATED) expect(typeof render(unit.repeat(SIZE / unit.length))).toBe('string');
    for (const [start, end] of NESTED) {
      expect(typeof render(start.repeat(NESTINGS) + end.repeat(NESTINGS))).toBe('string');
    }
  },
  30_000,
);

test.each(Object.entries(RENDERINGS))('%s throws at nothing', (_, render) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => typeof render(text) === 'string'),
    { numRuns: runSize(60, 500) },
  );
  const unit = fc.constantFrom(
    ...REPEATED,
    '>',
    '</p>',
    '-->',
    ']',
    '[/gallery]',
    "'",
    '\r',
    '\ufdd3',
    '</pre>',
    '<pre>',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), (text) => typeof render(text) === 'string'),
    { numRuns: runSize(60, 500) },
  );
});
