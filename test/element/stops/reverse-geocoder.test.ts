import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { addressText, providerAddress } from '../../../element/stops/reverse-geocoder.ts';
import { StopDialogs } from '../../../element/stops/stop-dialogs.ts';
import type { TripStop } from '../../../element/trips/trip.ts';
import { FAKE_ADDRESS, type FakeMapProvider, startFakeMapProvider } from '../../hosts/fake-map-provider.ts';

let provider: FakeMapProvider;
beforeAll(async () => {
  provider = await startFakeMapProvider();
});
afterAll(() => provider.close());

const stop: TripStop = { kind: 'start', timeZone: null, position: [11.5, 48.1], arrival: null, departure: null };
const access = (): { providerUrl: string; accessToken: string; locale: string } => ({
  providerUrl: provider.url,
  accessToken: 'pk.x',
  locale: 'en',
});

test.each([
  ['an address', FAKE_ADDRESS.properties, { street: '12 Test Street', city: 'Fakeville', state: 'Loopback' }],
  [
    'a place',
    { feature_type: 'place', name: 'Fakeville', context: { region: { name: 'Loopback' } } },
    { street: '', city: 'Fakeville', state: 'Loopback' },
  ],
  ['nothing usable', { feature_type: 'poi', name: 'A shop' }, null],
])('the provider knows %s', async (_, properties, address) => {
  provider.geocode = [{ properties }];
  expect(await providerAddress(11.5, 48.1, access())).toEqual(address);
  expect(provider.requests.at(-1)).toMatch(
    /^\/search\/geocode\/v6\/reverse\?longitude=11\.5&latitude=48\.1&.*language=en/,
  );
});

test('an address is one line, without missing parts', () => {
  expect(addressText({ street: 'A 1', city: 'B', state: 'C' })).toBe('A 1, B, C');
  expect(addressText({ street: '', city: 'B', state: '' })).toBe('B');
});

test.each([
  ['no address', [], 'Address not found'],
  ['a refusal', 429, 'Address unavailable'],
])('%s of the provider is address-not-found', async (_, geocode, message) => {
  provider.geocode = geocode;
  const [notFound, failed] = [vi.fn(), vi.fn()];
  const geocoders = { reverseGeocodeHandler: null, provider: access() };
  expect(await new StopDialogs({ notFound, failed }).addressOf(stop, geocoders)).toBe('missing');
  expect(notFound.mock.calls).toEqual([[{ message, latitude: 48.1, longitude: 11.5 }]]);
  expect(failed).not.toHaveBeenCalled();
});

test('without a token no request is made to the provider', async () => {
  const requests = provider.requests.length;
  const notFound = vi.fn();
  const geocoders = { reverseGeocodeHandler: null, provider: { ...access(), accessToken: null } };
  await new StopDialogs({ notFound, failed: vi.fn() }).addressOf(stop, geocoders);
  expect(notFound).toHaveBeenCalledOnce();
  expect(provider.requests.length).toBe(requests);
});

test('a handler replaces the provider, takes longitude first, and is called once for a stop', async () => {
  const requests = provider.requests.length;
  const handler = vi.fn(async () => ({ street: 'A 1', city: 'B', state: 'C' }));
  const dialogs = new StopDialogs({ notFound: vi.fn(), failed: vi.fn() });
  const geocoders = { reverseGeocodeHandler: handler, provider: access() };
  expect(await dialogs.addressOf(stop, geocoders)).toEqual({ text: 'A 1, B, C' });
  expect(await dialogs.addressOf(stop, geocoders)).toEqual({ text: 'A 1, B, C' });
  expect(handler.mock.calls).toEqual([[11.5, 48.1]]);
  expect(provider.requests.length).toBe(requests);
});

test('a handler that fails is an error, not address-not-found', async () => {
  const [notFound, failed] = [vi.fn(), vi.fn()];
  const failure = new Error('no');
  const geocoders = { reverseGeocodeHandler: () => Promise.reject(failure), provider: access() };
  expect(await new StopDialogs({ notFound, failed }).addressOf(stop, geocoders)).toBe('missing');
  expect(failed.mock.calls).toEqual([[failure]]);
  expect(notFound).not.toHaveBeenCalled();
});
