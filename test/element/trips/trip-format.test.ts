import { expect, test } from 'vitest';

import { stringsFor } from '../../../element/trips/strings.ts';
import { tripOf } from '../../../element/trips/trip.ts';
import { TripFormat } from '../../../element/trips/trip-format.ts';
import { wireTrip } from '../../browser/fake-trips-service.ts';

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test.each([
  ['en-US', null, '1.6 mi'],
  ['en-GB', null, '1.6 mi'],
  ['en', 'km', '2.5 km'],
  ['de', null, '2,5 km'],
  ['de', 'mi', '1,6 mi'],
  ['pt-BR', 'furlong', '2,5 km'],
  ['not a locale', 'km', '2.5 km'],
])('2,500 m in %s with units %s are %s', (locale, units, text) => {
  expect(plain(new TripFormat(locale, units).distance(2500))).toBe(text);
});

test.each([
  [20, '20 sec'],
  [600, '10 min'],
  [3600, '1 hr'],
  [3599, '1 hr'],
  [5460, '1 hr 31 min'],
])('%i seconds are %s', (seconds, text) => {
  expect(plain(new TripFormat('en', null).duration(seconds))).toBe(text);
});

test('a time names its zone; what is no time is left as it is', () => {
  expect(plain(new TripFormat('en-US', null).time('2026-11-03T08:02:00+00:00'))).toMatch(
    /^Nov 3, 2026, \d+:02 [AP]M .+$/,
  );
  expect(new TripFormat('en', null).time('soon')).toBe('soon');
});

test('the summary says number, distance, time, start and end', () => {
  const trips = ['a', 'b'].map((key) =>
    tripOf(
      wireTrip(key, [
        [11, 48],
        [12, 49],
      ]),
    ),
  );
  const summary = plain(new TripFormat('en', 'km').summary(trips));
  expect(summary).toMatch(/^2 trips; 0\.4 km; 21 min; Start: Nov 3, 2026.+; End: Nov 3, 2026/);
  expect(new TripFormat('en', 'km').summary([])).toBe('There are no trips in this period.');
});

test.each([['de'], ['pt-BR'], ['es-419']])('%s has a translation of everything', (locale) => {
  const english = stringsFor('en');
  const other = stringsFor(locale);
  const same = Object.entries(other).filter(([name, text]) => text === english[name as keyof typeof english]);
  expect(same.map(([name]) => name)).toEqual(locale === 'de' ? ['start', 'live'] : []);
  expect(stringsFor('fr')).toBe(english);
});
