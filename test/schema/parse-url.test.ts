import { expect, test } from 'vitest';

import { parseUrl } from '../../schema/parse-url.ts';
import { parsePlainUrl } from '../../schema/plain-url.ts';

test.each([
  ['https://Fleet.example:443/map', undefined, 'https://fleet.example/map'],
  ['https://bücher.example', undefined, 'https://xn--bcher-kva.example/'],
  ['../b', 'https://fleet.example/a/c', 'https://fleet.example/b'],
  ['no address', undefined, undefined],
  ['https://[::1', undefined, undefined],
])('%s below %s is %s', (address, base, href) => {
  expect(parseUrl(address, base)?.href).toBe(href);
});

test('an address in another script stays one, however often it is parsed', () => {
  for (let time = 0; time < 20_000; time++) if (!parsePlainUrl('https://bücher.example')) expect(time).toBe('never');
});
