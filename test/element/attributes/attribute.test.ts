import { expect, test } from 'vitest';

import { attributeName, booleanAttribute, numberAttribute } from '../../../element/attributes/attribute.ts';
import type { TripsMapAttributes } from '../../../element/attributes/trips-map-attributes.ts';
import { attributesWith } from './attributes-with.ts';

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

test.each([
  [null, undefined],
  ['', undefined],
  [' ', undefined],
  ['4.5', 4.5],
  ['four', Number.NaN],
])('%j is the number %s', (value, number) => {
  expect(numberAttribute.fromAttribute(value)).toBe(number);
});

test('every attribute reflects the property of its name, and leaves the default when it is removed', () => {
  const { observedAttributes, elementProperties } = attributesWith().constructor as typeof TripsMapAttributes;
  const declared = [...elementProperties].filter(([, { attribute }]) => attribute !== false);
  expect(observedAttributes).toEqual(declared.map(([name]) => attributeName(String(name))));
  for (const [, options] of declared) expect(options).toMatchObject({ reflect: true, useDefault: true });
});
