import { expect, test } from 'vitest';

import { booleanAttribute } from '../../element/boolean-attribute.ts';

test.each([
  [null, false],
  ['', true],
  ['true', true],
  ['reverse-geocode', true],
  ['false', false],
  [' False ', false],
])('%j is %s', (value, on) => {
  expect(booleanAttribute.fromAttribute(value)).toBe(on);
});
