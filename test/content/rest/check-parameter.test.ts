import { expect, test } from 'vitest';

import { checkParameter } from '../../../content/rest/check-parameter.ts';
import { convertParameter } from '../../../content/rest/read-parameters.ts';
import type { ParameterDefinition } from '../../../content/schema/parameter.ts';

const NUMBER = { type: 'integer' } as const;
const IDS = { type: 'array', items: { type: 'integer' } } as const;
const WORD = { type: 'string', enum: ['a', 'b'] } as const;
const PAGE = { type: 'integer', minimum: 1, maximum: 100 } as const;

test.each<[ParameterDefinition, unknown, string]>([
  [NUMBER, 'abc', 'p is not of type integer.'],
  [NUMBER, '', 'p is not of type integer.'],
  [NUMBER, '1.5', 'p is not of type integer.'],
  [NUMBER, true, 'p is not of type integer.'],
  [NUMBER, ['1'], 'p is not of type integer.'],
  [PAGE, 0, 'p must be between 1 (inclusive) and 100 (inclusive)'],
  [{ type: 'integer', minimum: 1 }, '0', 'p must be greater than or equal to 1'],
  [IDS, '1,x', 'p[1] is not of type integer.'],
  [IDS, { a: 1 }, 'p is not of type array.'],
  [WORD, 'c', 'p is not one of a, b.'],
  [WORD, ['a'], 'p is not one of a, b.'],
  [{ type: 'boolean' }, 'yes', 'yes is not of type boolean.'],
  [{ type: 'string' }, 5, 'p is not of type string.'],
  [{ type: 'object' }, 'x', 'p is not of type object.'],
  [{ type: 'string', format: 'date-time' }, '2024-13-01T00:00:00', 'Invalid date.'],
  [{ type: 'string', format: 'email' }, 'x@y', 'Invalid email address.'],
])('%j refuses %j', (definition, value, fault) => {
  expect(checkParameter(value, definition, 'p')).toBe(fault);
});

test.each<[ParameterDefinition, unknown, unknown]>([
  [NUMBER, ' 12', 12],
  [NUMBER, '1e2', 100],
  [NUMBER, '-3', -3],
  [NUMBER, '99999999999999999999', Number.MAX_SAFE_INTEGER],
  [{ ...NUMBER, clean: 'whole' }, '-3', 3],
  [IDS, '1, 2 3', [1, 2, 3]],
  [IDS, 7, [7]],
  [WORD, 'b', 'b'],
  [{ type: 'boolean' }, 'FALSE', false],
  [{ type: 'boolean' }, 1, true],
  [{ type: 'string', clean: 'text' }, ' a <b>bold</b>\n word ', 'a bold word'],
  [{ type: 'object', unchecked: true }, 'x', 'x'],
])('%j takes %j', (definition, value, converted) => {
  expect(checkParameter(value, definition, 'p')).toBeUndefined();
  expect(convertParameter(value, definition)).toEqual(converted);
});

test.each([
  ['9999-12-31T00:00:00', undefined],
  ['9999-12-31T24:59:59', 'Invalid date.'],
  ['9999-12-30T00:00:00-23:00', undefined],
  ['9999-12-31T00:00:00-23:00', 'Invalid date.'],
])('of dates near the year 10000, %s is answered by %s', (text, fault) => {
  expect(checkParameter(text, { type: 'string', format: 'date-time' }, 'date')).toBe(fault);
});
