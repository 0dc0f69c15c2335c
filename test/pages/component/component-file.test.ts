import { expect, test } from 'vitest';

import { fillIn } from '../../../pages/component/component-file.ts';

const siteUrl = 'https://example.com';
const read = (source: string): unknown => new Function(`return ${source}`)();

test.each(['"', "'", '`'])('writes the addresses into strings in %s', (quote) => {
  const source = `[${quote}__WAYBRIDGE_GRAPHQL_URL__${quote}, ${quote}__WAYBRIDGE_SITE_URL__${quote}]`;
  const graphqlUrl = 'https://api.example.com/graphql';
  expect(read(fillIn(source, { graphqlUrl, siteUrl }))).toEqual([graphqlUrl, siteUrl]);
});

test.each([
  `https://example.com/"+alert(1)+"`,
  `https://example.com/'+alert(1)+'`,
  'https://example.com/`+alert(1)+`',
  `https://example.com/$\{alert(1)}`,
  'https://example.com/\\u0022',
  'https://example.com/$&$1$`',
  'https://example.com/</script>',
  'https://example.com/\u2028',
])('writes %s so that nothing of it is read as code', (address) => {
  for (const quote of ['"', "'", '`']) {
    expect(read(fillIn(`${quote}__WAYBRIDGE_GRAPHQL_URL__${quote}`, { graphqlUrl: address, siteUrl }))).toBe(address);
  }
  expect(fillIn('"__WAYBRIDGE_GRAPHQL_URL__"', { graphqlUrl: address, siteUrl })).not.toContain('</script');
});

test('refuses a file that has no place for it', () => {
  expect(() => fillIn('"https://elsewhere.example"', { graphqlUrl: siteUrl, siteUrl })).toThrow(/no place/);
});
