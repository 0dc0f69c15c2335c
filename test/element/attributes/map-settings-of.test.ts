import { expect, test, vi } from 'vitest';

import { faultOfMap, lonLatOf, mapSettingsOf } from '../../../element/attributes/map-settings-of.ts';
import { mapboxEngine } from '../../../element/engines/mapbox-engine.ts';
import { maplibreEngine } from '../../../element/engines/maplibre-engine.ts';
import { sameCanvas } from '../../../element/engine/map-settings.ts';
import { attributesWith } from './attributes-with.ts';

const attributes = attributesWith({ mapProviderAccessToken: 'pk.x' });
const reader = { theme: 'light', locale: 'en', units: 'km', speeds: null, cooperative: false } as const;

const TOKEN = { mapProviderAccessToken: 'pk.x' };
const OWN_STYLE = { mapStyle: '/map/style.json' };

test.each([
  ['mapbox-gl without a token', mapboxEngine, {}, /access-token.*service-web-components\.maplibre\.umd\.js/],
  ['mapbox-gl without a token, in a style of one’s own', mapboxEngine, OWN_STYLE, /access-token.*maplibre/],
  ['mapbox-gl with a token', mapboxEngine, TOKEN, null],
  ['MapLibre GL without a style, in a file that no server has filled', maplibreEngine, {}, /map-style/],
  ['MapLibre GL with a style', maplibreEngine, OWN_STYLE, null],
  ['MapLibre GL with the address of a service', maplibreEngine, { serviceUrl: 'https://api.example/graphql' }, null],
  [
    'MapLibre GL with a style of Mapbox',
    maplibreEngine,
    { mapStyle: 'mapbox://styles/x/y' },
    /service-web-components\.umd/,
  ],
  ['an image without a token', maplibreEngine, { mapType: 'static', ...OWN_STYLE }, /access-token/],
  ['an image with a token', maplibreEngine, { mapType: 'static', ...TOKEN }, null],
])('%s: %#', (_, engine, changes, fault) => {
  const settings = mapSettingsOf(attributesWith(changes), reader, () => {});
  if (fault === null) expect(faultOfMap(settings, engine)).toBeNull();
  else expect(faultOfMap(settings, engine)).toMatch(fault);
});

test('the defaults are those of the specification', () => {
  const warn = vi.fn();
  expect(mapSettingsOf(attributes, reader, warn)).toEqual({
    type: 'interactive',
    accessToken: 'pk.x',
    providerUrl: 'https://api.mapbox.com',
    mapsUrl: null,
    style: null,
    fallback: { center: [-98.5795, 39.828175], zoom: 3 },
    fullscreen: false,
    ...reader,
  });
  expect(warn).not.toHaveBeenCalled();
});

test('empty attributes count as absent', () => {
  const warn = vi.fn();
  const empty = {
    mapType: '',
    mapStyle: '',
    mapStyleDark: '',
    defaultCenter: '',
    defaultZoom: undefined,
    colorBy: '',
    cooperativeGestures: '',
    timeZone: '',
  };
  const settings = mapSettingsOf(attributesWith({ mapProviderAccessToken: 'pk.x', ...empty }), reader, warn);
  expect(settings).toEqual(mapSettingsOf(attributes, reader, warn));
  expect(warn).not.toHaveBeenCalled();
});

test.each([
  ['light', '/light.json'],
  ['dark', '/dark.json'],
] as const)('the %s theme has the style %s', (theme, style) => {
  const styles = attributesWith({ mapStyle: '/light.json', mapStyleDark: '/dark.json' });
  expect(mapSettingsOf(styles, { ...reader, theme }, () => {})).toMatchObject({ style });
  expect(mapSettingsOf(attributesWith(OWN_STYLE), { ...reader, theme }, () => {})).toMatchObject({
    style: OWN_STYLE.mapStyle,
  });
});

test.each([
  ['default-center', { defaultCenter: '[1,2]' }],
  ['default-center', { defaultCenter: '39,-98,1' }],
  ['default-center', { defaultCenter: '1,91' }],
  ['default-zoom', { defaultZoom: Number.NaN }],
  ['default-zoom', { defaultZoom: -1 }],
  ['map-type', { mapType: 'satellite' }],
  ['color-by', { colorBy: 'mood' }],
  ['cooperative-gestures', { cooperativeGestures: 'true' }],
  ['time-zone', { timeZone: 'Rome' }],
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
