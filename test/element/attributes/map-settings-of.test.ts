import { expect, test, vi } from 'vitest';

import { faultOfMap, lonLatOf, mapSettingsOf } from '../../../element/attributes/map-settings-of.ts';
import { sameCanvas } from '../../../element/map/map-settings.ts';
import { attributesWith } from './attributes-with.ts';

const attributes = attributesWith({ mapProviderAccessToken: 'pk.x' });
const reader = { theme: 'light', locale: 'en', speeds: null } as const;

test.each([
  ['the standard style', {}, true],
  ["a provider's style", { mapStyle: 'mapbox://styles/mapbox/outdoors-v12' }, true],
  ["a provider's style by its address", { mapStyle: 'https://api.mapbox.com/styles/v1/mapbox/streets-v12' }, true],
  ['a style of one’s own', { mapStyle: 'https://maps.example/style.json' }, false],
  ['a style on the page’s server', { mapStyle: '/map/style.json' }, false],
  ['an image, which has no style', { mapType: 'static', mapStyle: '/map/style.json' }, true],
])('%s needs a token: %j, %j', (_, changes, needed) => {
  expect(faultOfMap(attributesWith(changes)) !== null).toBe(needed);
  expect(faultOfMap(attributesWith({ mapProviderAccessToken: 'pk.x', ...changes }))).toBeNull();
});

test('the defaults are those of the specification', () => {
  const warn = vi.fn();
  expect(mapSettingsOf(attributes, reader, warn)).toEqual({
    type: 'interactive',
    accessToken: 'pk.x',
    providerUrl: 'https://api.mapbox.com',
    style: null,
    fallback: { center: [-98.5795, 39.828175], zoom: 3 },
    ...reader,
  });
  expect(warn).not.toHaveBeenCalled();
});

test.each([
  ['default-center', { defaultCenter: '[1,2]' }],
  ['default-center', { defaultCenter: '39,-98,1' }],
  ['default-center', { defaultCenter: '1,91' }],
  ['default-zoom', { defaultZoom: Number.NaN }],
  ['default-zoom', { defaultZoom: -1 }],
  ['map-type', { mapType: 'satellite' }],
  ['color-by', { colorBy: 'mood' }],
])('%s out of its form is told, and its default taken: %j', (name, changes) => {
  const warn = vi.fn();
  const settings = mapSettingsOf(attributesWith({ mapProviderAccessToken: 'pk.x', ...changes }), reader, warn);
  expect(settings).toEqual(mapSettingsOf(attributes, reader, () => {}));
  expect(warn.mock.calls).toEqual([[expect.stringContaining(name)]]);
});

test.each([
  ['-98.5795,39.828175', [-98.5795, 39.828175]],
  [' 11 , 48.5 ', [11, 48.5]],
  ['180,-90', [180, -90]],
  ['181,0', null],
  ['1;2', null],
  ['', null],
])('%j is read as %j', (text, position) => {
  expect(lonLatOf(text)).toEqual(position);
});

test('only type, token and provider need another canvas', () => {
  const settings = mapSettingsOf(attributes, reader, () => {});
  expect(sameCanvas(settings, { ...settings, style: 'x', theme: 'dark', fallback: { center: [0, 0], zoom: 0 } })).toBe(
    true,
  );
  expect(sameCanvas(settings, { ...settings, type: 'static' })).toBe(false);
  expect(sameCanvas(settings, { ...settings, accessToken: 'pk.y' })).toBe(false);
  expect(sameCanvas(settings, { ...settings, providerUrl: 'https://proxy.example' })).toBe(false);
});
