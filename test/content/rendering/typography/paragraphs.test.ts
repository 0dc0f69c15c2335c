import { describe, expect, test } from 'vitest';

import { autop } from '../../../../content/rendering/typography/autop.ts';
import { renderContent } from '../../../../content/rendering/content.ts';

const SETTINGS = { smilies: true, siteUrl: 'https://example.com' };

describe('paragraphs', () => {
  test.each([
    ['a\n\nb', '<p>a</p>\n<p>b</p>\n'],
    ['a\nb', '<p>a<br />\nb</p>\n'],
    ['a<br>b', '<p>a<br />b</p>\n'],
    ['a<br/><br/>b', '<p>a</p>\n<p>b</p>\n'],
    ['<div>a</div>\n\nb', '<div>a</div>\n<p>b</p>\n'],
    ['<div>a\n\nb</div>', '<div>a</p>\n<p>b</p></div>\n'],
    ['<ul>\n<li>a</li>\n<li>b</li>\n</ul>', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n'],
    ['<blockquote>a</blockquote>', '<blockquote><p>a</p></blockquote>\n'],
    ['<blockquote>a\n\nb</blockquote>', '<blockquote><p>a</p>\n<p>b</p></blockquote>\n'],
    ['<pre>a\n\nb</pre>\n\nc', '<pre>a\n\nb</pre>\n<p>c</p>\n'],
    ['a\r\n\r\nb', '<p>a</p>\n<p>b</p>\n'],
    ['<script>\na\n\nb\n</script>', '<p><script>\na</p>\n<p>b\n</script></p>\n'],
    ['<p>a</p>\n<p>b</p>', '<p>a</p>\n<p>b</p>\n'],
    ['<h2>a</h2>b', '<h2>a</h2>\n<p>b</p>\n'],
    ['<a\nhref="x">a</a>', '<p><a\nhref="x">a</a></p>\n'],
    ['<!-- a\nb -->\n\nc', '<p><!-- a\nb --></p>\n<p>c</p>\n'],
    ['<select>\n<option>a</option>\n</select>', '<p><select><option>a</option></select></p>\n'],
    ['<object>\n<param>\n<embed>\n</object>', '<p><object><param><embed></object></p>\n'],
    ['<video>\n<source>\n</video>', '<p><video><source></video></p>\n'],
    ['<figure>\n<img>\n<figcaption>a</figcaption>\n</figure>', '<figure>\n<img><figcaption>a</figcaption></figure>\n'],
    ['  \n ', ''],
    ['<p></p>', '</p>\n'],
    ['a<hr>b', '<p>a</p>\n<hr>b</p>\n'],
    ['<img src="a" />', '<p><img src="a" /></p>\n'],
    ['text <div>x</div> more', '<p>text </p>\n<div>x</div>\n<p> more</p>\n'],
  ])('are made of %j', (text, html) => {
    expect(autop(text)).toBe(html);
  });
});

test.each([
  ['[gallery]', '\n'],
  ['[nothing x="y"] "z"', '<p>[nothing x=&#8221;y&#8221;] &#8220;z&#8221;</p>\n'],
  ['[[gallery]]', '<p>[gallery]</p>\n'],
  [
    '[caption width="100"]<img src="a" /> A caption[/caption]',
    '<div style="width: 110px" class="wp-caption alignnone"><img src="a" /><p class="wp-caption-text">A caption</p></div>\n',
  ],
  ['[embed]https://x.y/[/embed]', '<p><a href="https://x.y/">https://x.y/</a></p>\n'],
])('the shortcode %s is shown as %j', (text, html) => {
  expect(renderContent(text, SETTINGS)).toBe(html);
});
