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
  ['fr', null, '2,5 km'],
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

test('a time in the zone of the reader does not name it; what is no time is left as it is', () => {
  const [format, iso] = [new TripFormat('en-US', null), '2026-11-03T08:02:00+00:00'];
  expect(plain(format.time(iso, null))).toMatch(/^Nov 3, 2026, \d+:02 [AP]M$/);
  expect(plain(format.clock(Date.parse(iso) / 1000, null))).toMatch(/^\d+:02:00 [AP]M$/);
  expect(new TripFormat('en', null).time('soon', null)).toBe('soon');
});

test.each([
  ['trip', 'Asia/Tokyo', 'Nov 3, 2026, 5:02 PM GMT+9'],
  ['trip', 'America/New_York', 'Nov 3, 2026, 3:02 AM EST'],
  ['Europe/Rome', 'Asia/Tokyo', 'Nov 3, 2026, 9:02 AM GMT+1'],
  ['Nowhere/Land', 'Asia/Tokyo', 'Nov 3, 2026, 5:02 PM GMT+9'],
])('with the zone %s a time of a trip in %s is written once, and so is each text of it', (zone, tripZone, text) => {
  const format = new TripFormat('en-US', null, zone);
  const iso = '2026-11-03T08:02:00Z';
  expect(plain(format.time(iso, tripZone))).toBe(text);
  const [day = '', hour = ''] = text.split(', 2026, ');
  const [time, half, name] = hour.split(' ');
  expect(plain(format.period(iso, '2026-11-03T08:32:00Z', tripZone))).toContain(`${day}, ${time}`);
  expect(plain(format.period(iso, null, tripZone))).toBe(`${day}, ${hour}`);
  expect(plain(format.clock(Date.parse(iso) / 1000, tripZone))).toBe(`${time}:00 ${half} ${name}`);
});

test('a reader who wants it sees times in the zone of the reader, as of a trip whose zone is not known', () => {
  const iso = '2026-11-03T08:02:00Z';
  const own = new TripFormat('en', null, 'trip').time(iso, null);
  expect(new TripFormat('en', null, 'reader').time(iso, 'Asia/Tokyo')).toBe(own);
  expect(new TripFormat('en', null, 'trip').time(iso, 'Nowhere/Land')).toBe(own);
  expect(own).not.toBe(new TripFormat('en', null, 'trip').time(iso, 'Asia/Tokyo'));
});

test('where the day has 24 hours each hour has two digits', () => {
  const format = new TripFormat('de', null, 'Asia/Tokyo');
  const iso = '2026-11-03T00:02:00Z';
  expect(format.clock(Date.parse(iso) / 1000, null)).toBe('09:02:00 GMT+9');
  expect(format.period(iso, null, null)).toBe('3. Nov., 09:02 GMT+9');
  expect(format.period(iso, '2026-11-03T00:32:00Z', null)).toBe('3. Nov., 09:02–09:32 Uhr GMT+9');
});

test('a moment is written in the zone of its trip, with its day unless that is today there', () => {
  const format = new TripFormat('en-US', null);
  const now = Date.now();
  expect(plain(format.moment(now, 'Asia/Tokyo'))).toMatch(/^\d+:\d\d [AP]M GMT\+9$/);
  expect(plain(format.moment(now - 26 * 3_600_000, 'Asia/Tokyo'))).toMatch(/^\w{3} \d+, \d+:\d\d [AP]M GMT\+9$/);
});

test.each([
  ['en-US', '3 sec. ago'],
  ['fr', '3 sec ago'],
  ['de', 'vor 3 Sek.'],
])('an age in %s is %s', (locale, text) => {
  expect(plain(new TripFormat(locale, null).age(3200))).toBe(text);
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

test.each([
  ['de-AT', 'de-AT', 'de-AT'],
  ['fr', 'en-FR', 'fr'],
  ['he', 'en-IL', 'he'],
  ['nonsense!', 'en', 'en'],
])('the texts of %s are in %s, names on the map in %s', (wanted, locale, language) => {
  expect(new TripFormat(wanted, null)).toMatchObject({ locale, language });
});
