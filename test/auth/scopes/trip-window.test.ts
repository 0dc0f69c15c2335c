import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { TripWindow } from '../../../auth/scopes/trip-window.ts';
import { ServiceError } from '../../../schema/service-error.ts';

const at = (text: string): number => Date.parse(text);

describe('The one-day rule', () => {
  test.each([
    ['nothing given', {}, -Infinity, Infinity],
    [
      'after alone: to the end of that day',
      { started_after: '2024-02-29T10:00' },
      at('2024-02-29T10:00Z'),
      at('2024-03-01T00:00Z'),
    ],
    [
      'after alone, in an offset: to the end of the day there',
      { started_after: '2024-12-31T22:30-05:00' },
      at('2025-01-01T03:30Z'),
      at('2025-01-01T05:00Z'),
    ],
    [
      'after as a bare date: that day',
      { started_after: '2023-02-28' },
      at('2023-02-28T00:00Z'),
      at('2023-03-01T00:00Z'),
    ],
    [
      'before alone: from the start of that day',
      { started_before: '2024-03-01T06:00+02:00' },
      at('2024-02-29T22:00Z'),
      at('2024-03-01T04:00Z'),
    ],
    [
      'both on one day',
      { started_after: '2024-05-05T08:00Z', started_before: '2024-05-05T09:00Z' },
      at('2024-05-05T08:00Z'),
      at('2024-05-05T09:00Z'),
    ],
    [
      'before past midnight is ignored',
      { started_after: '2024-05-05T08:00Z', started_before: '2024-05-06T00:00:01Z' },
      at('2024-05-05T08:00Z'),
      at('2024-05-06T00:00Z'),
    ],
    [
      "the day is that of after's offset, whatever before's is",
      { started_after: '2024-05-05T23:00-02:00', started_before: '2024-05-06T04:30+02:00' },
      at('2024-05-06T01:00Z'),
      at('2024-05-06T02:00Z'),
    ],
  ])('%s', (_, bounds, from, until) => {
    expect(TripWindow.oneDay(bounds)).toMatchObject({ from, until });
  });

  test.each([
    [{ started_after: '2024-05-05T08:00Z', started_before: '2024-05-05T08:00Z' }],
    [{ started_after: '2024-05-05T08:00Z', started_before: '2024-05-05T07:00Z' }],
    [{ started_after: '2024-05-05T08:00Z', started_before: '2023-01-01' }],
    [{ started_before: '2024-05-05' }],
  ])('%j asks for no trips', (bounds) => {
    const { from, until } = TripWindow.oneDay(bounds);
    expect(until).toBeLessThanOrEqual(from);
  });

  test.each([
    ['started_after', { started_after: '2023-02-29' }],
    ['started_after', { started_after: '' }],
    ['started_before', { started_before: '2024-05-05 08:00' }],
    ['started_before', { started_after: '2024-05-05', started_before: 'yesterday' }],
  ])('a value outside the grammar is refused by the name %s', (name, bounds) => {
    for (const read of [TripWindow.oneDay, TripWindow.plain]) {
      expect(() => read(bounds)).toThrow(new ServiceError('BAD_REQUEST', `${name} is not an ISO 8601 date-time`));
    }
  });

  test('whatever is given, the window lies within one calendar day of its own offset', () => {
    fc.assert(
      fc.property(writtenDateTime(), fc.option(writtenDateTime()), fc.boolean(), (one, other, isAfter) => {
        const bounds = isAfter
          ? { started_after: one.text, started_before: other?.text }
          : { started_before: one.text };
        const { from, until } = TripWindow.oneDay(bounds);
        if (until <= from) return;
        const day = (instant: number) => Math.floor((instant + one.offsetMinutes * 60_000) / 86_400_000);
        expect(day(until - 1)).toBe(day(from));
        expect(isAfter ? from : until).toBe(one.instant);
        if (isAfter && other) expect(until).toBe(Math.min(other.instant, endOfDay(one)));
        if (isAfter && !other) expect(until).toBe(endOfDay(one));
      }),
    );
  });
});

test('The window of owners and apps is plain, over any number of days', () => {
  const bounds = { started_after: '2024-01-01T00:00+01:00', started_before: '2025-01-01' };
  expect(TripWindow.plain(bounds)).toMatchObject({ from: at('2023-12-31T23:00Z'), until: at('2025-01-01T00:00Z') });
  expect(TripWindow.plain({})).toMatchObject({ from: -Infinity, until: Infinity });
});

describe('A token covers a window', () => {
  const day = { started_after: '2024-05-05T08:00Z', started_before: '2024-05-05T18:00Z' };

  test.each([
    ['nothing given, gte', {}, { gte: at('2030-01-01') }, true],
    ['nothing given, lt', {}, { lt: at('1990-01-01') }, true],
    ['gte at after', day, { gte: at('2024-05-05T08:00Z') }, true],
    ['gte later than after', day, { gte: at('2024-05-05T08:00Z') + 1 }, false],
    ['lt at before', day, { lt: at('2024-05-05T18:00Z') }, true],
    ['lt earlier than before', day, { lt: at('2024-05-05T18:00Z') - 1 }, false],
    [
      'lt earlier than a before that is ignored',
      { started_after: '2024-05-05T08:00Z', started_before: '2024-05-07' },
      { lt: at('2024-05-05T09:00Z') },
      true,
    ],
    [
      'lt earlier than a before at midnight, which is not past it',
      { started_after: '2024-05-05T08:00Z', started_before: '2024-05-06' },
      { lt: at('2024-05-05T09:00Z') },
      false,
    ],
    ['after alone, lt within the day', { started_after: '2024-05-05T08:00Z' }, { lt: at('2024-05-05T09:00Z') }, true],
    [
      'before alone, gte within the day',
      { started_before: '2024-05-05T08:00Z' },
      { gte: at('2024-05-05T07:00Z') },
      true,
    ],
  ])('%s', (_, bounds, scope, covered) => {
    expect(TripWindow.oneDay(bounds).isCoveredBy(scope)).toBe(covered);
  });
});

interface Written {
  readonly text: string;
  readonly instant: number;
  readonly offsetMinutes: number;
}

function endOfDay({ instant, offsetMinutes }: Written): number {
  const shift = offsetMinutes * 60_000;
  return (Math.floor((instant + shift) / 86_400_000) + 1) * 86_400_000 - shift;
}

/** Date-times around leap days and turns of the year, so that bounds often share a day, in all offsets. */
function writtenDateTime(): fc.Arbitrary<Written> {
  const anchor = fc.constantFrom('2024-02-29T00:00Z', '2023-02-28T00:00Z', '2024-12-31T00:00Z', '1900-03-01T00:00Z');
  const minutes = fc.integer({ min: -36 * 60, max: 36 * 60 });
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
  return fc.tuple(anchor, minutes, offset).map(([start, later, offsetMinutes]) => {
    const instant = at(start) + later * 60_000;
    const local = new Date(instant + offsetMinutes * 60_000).toISOString().slice(0, 16);
    const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
    const written = Math.abs(offsetMinutes);
    const zone = `${offsetMinutes < 0 ? '-' : '+'}${two(written / 60)}:${two(written % 60)}`;
    return { text: local + zone, instant, offsetMinutes };
  });
}
