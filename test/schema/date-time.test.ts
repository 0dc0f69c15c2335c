import fc from 'fast-check';
import { expect, test } from 'vitest';

import { formatOffsetDateTime, formatSpacedDateTime, parseDateTime } from '../../schema/date-time.ts';

test.each([
  ['2024-02-29', '2024-02-29T00:00:00.000Z', 0],
  ['2024-02-29T12:30', '2024-02-29T12:30:00.000Z', 0],
  ['2024-02-29T12:30:15', '2024-02-29T12:30:15.000Z', 0],
  ['2024-02-29T12:30:15.5', '2024-02-29T12:30:15.500Z', 0],
  ['2024-02-29T12:30:15.123456789Z', '2024-02-29T12:30:15.123Z', 0],
  ['2024-02-29T12:30Z', '2024-02-29T12:30:00.000Z', 0],
  ['2024-02-29T00:30+01:00', '2024-02-28T23:30:00.000Z', 60],
  ['2024-02-29T23:30-0530', '2024-03-01T05:00:00.000Z', -330],
  ['2024-02-29T12:00+14', '2024-02-28T22:00:00.000Z', 840],
  ['0001-01-01', '0001-01-01T00:00:00.000Z', 0],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z', 0],
])('%s is read', (text, iso, offsetMinutes) => {
  const read = parseDateTime(text);
  expect(read && new Date(read.instant).toISOString()).toBe(iso);
  expect(read?.offsetMinutes).toBe(offsetMinutes);
});

test.each([
  '',
  'yesterday',
  '2024',
  '2024-02',
  '2023-02-29',
  '2024-02-30',
  '2024-04-31',
  '2024-13-01',
  '2024-00-10',
  '0000-01-01',
  '2024-01-01 12:00',
  '2024-01-01t12:00',
  '2024-01-01T12',
  '2024-01-01T24:00',
  '2024-01-01T12:60',
  '2024-01-01T12:00:60',
  '2024-01-01T12:00.5',
  '2024-01-01T12:00+14:01',
  '2024-01-01T12:00+01:60',
  '2024-01-01Z',
  '2024-01-01+01:00',
  ' 2024-01-01',
  '2024-01-01\n',
  '٢٠٢٤-01-01',
])('%j is outside the grammar', (text) => {
  expect(parseDateTime(text)).toBeNull();
});

test('Every instant to the second is read back from both formats', () => {
  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (date) => {
      const second = Math.floor(date.getTime() / 1000) * 1000;
      const spaced = formatSpacedDateTime(date);
      expect(formatOffsetDateTime(date)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
      expect(spaced).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(parseDateTime(formatOffsetDateTime(date))?.instant).toBe(second);
      expect(parseDateTime(spaced.replace(' ', 'T'))?.instant).toBe(second);
    }),
  );
});
