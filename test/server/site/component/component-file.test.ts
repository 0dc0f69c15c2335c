import { expect, test } from 'vitest';

import { fillIn } from '../../../../server/site/component/component-file.ts';

const read = (source: string): unknown => new Function(`return ${source}`)();

test.each(['"', "'", '`'])('writes the address into a string in %s', (quote) => {
  const source = `${quote}__WAYBRIDGE_GRAPHQL_URL__${quote}`;
  expect(read(fillIn(source, 'https://example.com/graphql'))).toBe('https://example.com/graphql');
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
    expect(read(fillIn(`${quote}__WAYBRIDGE_GRAPHQL_URL__${quote}`, address))).toBe(address);
  }
  expect(fillIn('"__WAYBRIDGE_GRAPHQL_URL__"', address)).not.toContain('</script');
});

test('refuses a file that has no place for it', () => {
  expect(() => fillIn('"https://elsewhere.example"', 'https://example.com/graphql')).toThrow(/no place/);
});
