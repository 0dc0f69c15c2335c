import { describe, expect, test } from 'vitest';

import { showSmilies } from '../../../../content/rendering/smilies.ts';
import { texturize } from '../../../../content/rendering/typography/texturize.ts';
import { renderTitle } from '../../../../content/rendering/title.ts';

describe('typography', () => {
  test.each([
    ['"Quoted" and \'single\'', '&#8220;Quoted&#8221; and &#8216;single&#8217;'],
    ["It's the dog's, rock 'n' roll", 'It&#8217;s the dog&#8217;s, rock &#8216;n&#8217; roll'],
    ["'90s, the class of '99", '&#8217;90s, the class of &#8217;99'],
    ['He said: "in \'99"', 'He said: &#8220;in &#8217;99&#8221;'],
    ['a 6\' 2" man, 12" long', 'a 6&#8242; 2&#8243; man, 12&#8243; long'],
    ['"7 inches 7""', '&#8220;7 inches 7&#8243;&#8221;'],
    ['a -- b --- c - d', 'a &#8212; b &#8212; c &#8211; d'],
    ['xn--abc a--b', 'xn--abc a&#8211;b'],
    ['wait... what', 'wait&#8230; what'],
    ["``tex quotes''", '&#8220;tex quotes&#8221;'],
    ['Name (tm)', 'Name &#8482;'],
    ["'Twas the 'tis and 'em", '&#8216;Twas the &#8217;tis and &#8217;em'],
    ['9x9 and 0x9 and 1.5x20', '9&#215;9 and 0x9 and 1.5&#215;20'],
    ['A & B &amp; C &#38; D', 'A &#038; B &amp; C &#38; D'],
    ['<code>"x" -- y</code> "z"', '<code>"x" -- y</code> &#8220;z&#8221;'],
    ['<pre>"x"</pre>"y"', '<pre>"x"</pre>&#8220;y&#8221;'],
    ['<a title="it\'s & x">it\'s</a>', '<a title="it\'s &#038; x">it&#8217;s</a>'],
    ['<!-- "x" -- --> "y"', '<!-- "x" -- --> &#8220;y&#8221;'],
    ['[gallery title="it\'s"] "x"', '[gallery title="it\'s"] &#8220;x&#8221;'],
    ['[unknown "x"]', '[unknown &#8220;x&#8221;]'],
    ['"<b>bold</b>"', '&#8220;<b>bold</b>&#8220;'],
    ['("x")', '(&#8220;x&#8221;)'],
    [' "x"', ' &#8220;x&#8221;'],
  ])('writes %s', (text, written) => {
    expect(texturize(text)).toBe(written);
  });

  test('leaves a title no space around it', () => {
    expect(renderTitle(' "A" & Wordpress ')).toBe('&#8220;A&#8221; &#038; WordPress');
  });
});

describe('smilies', () => {
  test.each([
    [':) a', '🙂 a'],
    [':)a', ':)a'],
    ['a ;-) b', 'a 😉 b'],
    ['8-) :lol:', '😎 😆'],
    ['<code>:)</code>', '<code>:)</code>'],
    ['<a title=":)">x :D</a>', '<a title=":)">x 😀</a>'],
    [
      ':mrgreen:',
      '<img src="http://127.0.0.1:8082/wp-includes/images/smilies/mrgreen.png" alt=":mrgreen:" class="wp-smiley" style="height: 1em; max-height: 1em;" />',
    ],
    ['&nbsp;:?', '&nbsp;😕'],
    ['(:', '(:'],
  ])('show %s', (text, shown) => {
    expect(showSmilies(text, { smilies: true, siteUrl: 'http://127.0.0.1:8082' })).toBe(shown);
  });
});
