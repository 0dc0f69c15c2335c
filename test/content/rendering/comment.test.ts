import { describe, expect, test } from 'vitest';

import { balanceTags } from '../../../content/rendering/markup/balance-tags.ts';
import { makeClickable, nofollowLinks } from '../../../content/rendering/typography/links.ts';
import { renderComment } from '../../../content/rendering/content.ts';

describe('links are made', () => {
  test.each([
    ['see http://example.com/ now', 'see <a href="http://example.com/" rel="nofollow">http://example.com/</a> now'],
    ['(http://example.com/a_(b))', '(<a href="http://example.com/a_(b)" rel="nofollow">http://example.com/a_(b)</a>)'],
    ['http://example.com.', '<a href="http://example.com" rel="nofollow">http://example.com</a>.'],
    ['www.example.com,', '<a href="http://www.example.com" rel="nofollow">http://www.example.com</a>,'],
    ['ftp.example.com', '<a href="http://ftp.example.com" rel="nofollow">http://ftp.example.com</a>'],
    ['me@example.com', '<a href="mailto:me@example.com">me@example.com</a>'],
    ['<a href="http://x.y">http://x.y</a>', '<a href="http://x.y">http://x.y</a>'],
    ['<code>http://x.y</code>', '<code>http://x.y</code>'],
    ['javascript://alert(1)', 'javascript://alert(1)'],
    ['http://a.b/?c=d&e=f', '<a href="http://a.b/?c=d&#038;e=f" rel="nofollow">http://a.b/?c=d&#038;e=f</a>'],
    ['<http://a.b/>', '<<a href="http://a.b/" rel="nofollow">http://a.b/</a>>'],
    ["http://a.b/it's", '<a href="http://a.b/it&#039;s" rel="nofollow">http://a.b/it&#039;s</a>'],
  ])('of %s', (text, linked) => {
    expect(makeClickable(text)).toBe(linked);
  });
});

describe('elements are closed', () => {
  test.each([
    ['<b>a', '<b>a</b>'],
    ['a</b>', 'a'],
    ['<b><i>a</b></i>', '<b><i>a</i></b>'],
    ['<p>a<p>b', '<p>a</p><p>b</p>'],
    ['<br>', '<br />'],
    ['<div/>', '<div></div>'],
    ['a <3 b', 'a &lt;3 b'],
    ['<img src="x">', '<img src="x"/>'],
    ['<li>a<li>b', '<li>a</li><li>b</li>'],
    ['<B>a</B>', '<b>a</b>'],
    ['<!-- x -->', '<!-- x -->'],
  ])('in %s', (html, balanced) => {
    expect(balanceTags(html)).toBe(balanced);
  });
});

describe('search engines follow no link', () => {
  test.each([
    ['<a href="http://x.y">z</a>', '<a href="http://x.y" rel="nofollow">z</a>'],
    ['<a href="http://x.y" rel="me">z</a>', '<a href="http://x.y" rel="me nofollow">z</a>'],
    ['<a href="https://localhost:8443/a">z</a>', '<a href="https://localhost:8443/a">z</a>'],
    ['<a href="/a">z</a>', '<a href="/a" rel="nofollow">z</a>'],
  ])('as in %s', (html, marked) => {
    expect(nofollowLinks(html, 'https://localhost:8443')).toBe(marked);
  });
});

test('a comment is typeset, linked and closed', () => {
  const html = renderComment("It's <b>www.example.com :)", { smilies: true, siteUrl: 'https://example.com' });
  expect(html).toBe(
    '<p>It&#8217;s <b><a href="http://www.example.com" rel="nofollow">http://www.example.com</a> 🙂</b></p>\n',
  );
});
