import fc from 'fast-check';
import { expect, test } from 'vitest';

import { withoutOctets } from '../../../../content/rendering/markup/clean-url.ts';

test.each([
  [/[a-f0-9]{2}/i, /%[a-f0-9]{2}/gi],
  [/0[da]/i, /%0[da]/gi],
])('octets %s are taken out until none is left', (unwanted, octets) => {
  const text = fc.string({ unit: fc.constantFrom('%', '0', 'd', 'A', '4', 'g', '🚗', ' '), maxLength: 30 });
  const property = fc.property(text, (given) => {
    let left = given;
    for (let next = left.replace(octets, ''); next !== left; next = left.replace(octets, '')) left = next;
    expect(withoutOctets(given, unwanted)).toBe(left);
  });
  fc.assert(property, { numRuns: 500 });
});
