import { expect, test } from 'vitest';

import { type HtmlValue, html, raw } from '../../../http/answers/html.ts';

const HOSTILE = `<script>"&'`;

test.each([
  ['text', html`<p>${HOSTILE}</p>`, '<p>&lt;script&gt;&quot;&amp;&#39;</p>'],
  ['an attribute', html`<p title="${HOSTILE}">`, '<p title="&lt;script&gt;&quot;&amp;&#39;">'],
  ['texts of a list', html`${['<', '>']}`, '&lt;&gt;'],
  ['a text in a template in a list', html`${[html`<b>${'<'}</b>`]}`, '<b>&lt;</b>'],
])('escapes %s', (_, markup, text) => {
  expect(markup.text).toBe(text);
});

test.each([
  ['markup of a template', html`<p>${html`<b>1 &amp; 2</b>`}</p>`, '<p><b>1 &amp; 2</b></p>'],
  ['markup that is declared as such', html`${raw('<hr>')}`, '<hr>'],
  ['a number', html`${0}`, '0'],
  ['a backslash', html`\\d${'\\d'}`, '\\d\\d'],
])('keeps %s', (_, markup, text) => {
  expect(markup.text).toBe(text);
});

test.each<{ value: HtmlValue }>([{ value: null }, { value: undefined }, { value: false }, { value: [] }])(
  'writes nothing for $value',
  ({ value }) => {
    expect(html`<i>${value}</i>`.text).toBe('<i></i>');
  },
);
