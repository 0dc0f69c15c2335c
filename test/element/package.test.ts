import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import '../../element/service-web-components.ts';
import { ServiceTripsMap } from '../../element/service-trips-map.ts';
import { at, runNode } from '../browser/built-file.ts';
import { Consumer } from '../browser/built-package.ts';

interface Named {
  readonly name: string;
  readonly description: string;
  readonly type?: { readonly text: string };
}
interface Declaration
  extends Record<'attributes' | 'events' | 'slots' | 'cssParts' | 'cssStates' | 'cssProperties', Named[]> {
  readonly members: { readonly name: string; readonly attribute?: string; readonly type?: { readonly text: string } }[];
}

let consumer: Consumer;
let declaration: Declaration;
const dist = (name: string): string => readFileSync(at(`dist/${name}`), 'utf8');
const json = <T>(name: string): T => JSON.parse(dist(name)) as T;

beforeAll(async () => {
  consumer = await Consumer.create();
  declaration = json<{ modules: [{ declarations: [Declaration] }] }>('custom-elements.json').modules[0].declarations[0];
});
afterAll(() => consumer.remove());

test('every file that package.json names is there', () => {
  const { exports, ...manifest } = json<{ exports: Record<string, string | Record<string, string>> }>('package.json');
  const named = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target),
  );
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string };
  expect(manifest).toMatchObject({ name: 'service-web-components', version, customElements: './custom-elements.json' });
  expect(named.filter((path) => !existsSync(at(join('dist', path))))).toEqual([]);
});

test('custom-elements.json has the attributes and properties that the element has', () => {
  const attributes = declaration.attributes.map(({ name }) => name);
  expect(attributes.toSorted()).toEqual([...ServiceTripsMap.observedAttributes].sort());
  const own = [...ServiceTripsMap.elementProperties].filter(([, { state }]) => !state);
  const fields = declaration.members.filter(({ name }) => own.some(([property]) => property === name));
  expect(fields.map(({ name, attribute }) => [name, attribute]).toSorted()).toEqual(
    own.map(([name, { attribute }]) => [name, attribute === false ? undefined : attribute || name]).toSorted(),
  );
  const others = declaration.members.filter(({ name }) => !own.some(([property]) => property === name));
  expect(others.map(({ name }) => name)).toEqual(['trips', 'map', 'state', 'reload']);
  expect(others.filter(({ name }) => !(name in ServiceTripsMap.prototype))).toEqual([]);
});

test.each([
  ['attributes', 'Attribute'],
  ['events', 'Event'],
  ['slots', 'Slot'],
  ['cssParts', 'Part'],
  ['cssStates', 'State'],
  ['cssProperties', 'Custom property'],
] as const)('custom-elements.json has the %s of the README, each with a description', (list, head) => {
  const blocks = dist('README.md').split('\n\n');
  const table = blocks.find((block) => new RegExp(`^\\| ${head} +\\|`).test(block)) ?? '';
  expect(declaration[list].map(({ name }) => name)).toEqual(
    [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name),
  );
  expect(declaration[list].filter(({ description }) => !/^[A-Z`‘“].+\.$/.test(description ?? ''))).toEqual([]);
});

test('editors complete every attribute, custom property and part, and the values of a choice', () => {
  const html = json<{ tags: [{ name: string; attributes: (Named & { values?: Named[] })[] }] }>(
    'vscode.html-custom-data.json',
  ).tags[0];
  expect(html.name).toBe('service-trips-map');
  expect(html.attributes.map(({ name }) => name)).toEqual(declaration.attributes.map(({ name }) => name));
  const values = html.attributes.flatMap(({ name, values }) =>
    values ? [[name, ...values.map((value) => value.name)]] : [],
  );
  const choices = declaration.attributes.filter(({ type }) => type?.text.startsWith("'"));
  expect(values).toEqual(
    choices.map(({ name, type }) => [
      name,
      ...JSON.parse(`[${type?.text.replaceAll(' | ', ',').replaceAll("'", '"')}]`),
    ]),
  );
  expect(values).toContainEqual(['theme', 'light', 'dark', 'auto']);
  const css = json<{ properties: Named[]; pseudoElements: Named[] }>('vscode.css-custom-data.json');
  expect(css.properties).toEqual(declaration.cssProperties);
  expect(css.pseudoElements.map(({ name }) => name)).toEqual(declaration.cssParts.map(({ name }) => `::part(${name})`));
});

describe.each([
  ['service-web-components', 'mapbox-gl'],
  ['service-web-components/maplibre', 'maplibre-gl'],
] as const)('the types of %s, where %s is the only engine', (entry, engine) => {
  test.each([
    ['bundler', 'esnext'],
    ['nodenext', 'nodenext'],
  ])('know the tag, its properties, each of its events, and JSX: %s', async (resolution, module) => {
    const reader = await Consumer.create([engine]);
    onTestFinished(() => reader.remove());
    const ofEntry = (text: string): string =>
      text.replaceAll('mapbox-gl', engine).replaceAll("'service-web-components", `'${entry}`);
    await reader.write('page.ts', ofEntry(PAGE));
    await reader.write('component.tsx', ofEntry(COMPONENT));
    const options = ['--module', module, '--moduleResolution', resolution];
    const complaints = (await reader.compile(['page.ts', 'component.tsx'], options)).split('\n');
    expect(complaints.filter((line) => line !== '' && !ENGINES_OWN.test(line))).toEqual([]);
  });
});

test.each([
  ['service-web-components', 'service-web-components.js', 'mapbox-gl'],
  ['service-web-components/maplibre', 'maplibre.js', 'maplibre-gl'],
])(
  '%s can be imported and rendered where there is no document, and takes an engine only when asked for it',
  async (entry, file, engine) => {
    const program = await consumer.write(
      'server.js',
      `import { ServiceTripsMap } from '${entry}';
     const element = new ServiceTripsMap();
     console.log(ServiceTripsMap.version, typeof document, element.render().strings.join('').includes('region'));`,
    );
    const { version } = json<{ version: string }>('package.json');
    expect(await runNode(program)).toBe(`${version} undefined true\n`);
    const code = dist(file);
    expect([...code.matchAll(/^import\b.*?from "([^"]+)"/gm)].map(([, from]) => from?.split('/')[0])).not.toContain(
      engine,
    );
    expect(code.split(`import("${engine}")`)).toHaveLength(2);
  },
);

/** Errors in the types of the engines themselves, which are checked too. */
const ENGINES_OWN = /^node_modules\/(@?mapbox|@?maplibre)/;

const PAGE = `
import type { Map as MapboxMap } from 'mapbox-gl';
import { type AddressNotFound, ServiceTripsMap, type TripsMapEvents } from 'service-web-components';

const element: ServiceTripsMap = document.createElement('service-trips-map');
element.vehicleKey = 'vehicle-1';
element.mapType = 'static';
element.tokenProvider = async () => 'token';
element.reverseGeocodeHandler = async (longitude: number, latitude: number) => ({ street: '', city: '', state: '' });
// @ts-expect-error no such choice
element.mapType = 'flat';
// @ts-expect-error read only
element.trips = [];

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
const same = <A, B>(value: Same<A, B>) => value;
same<keyof TripsMapEvents, ${['mount', 'unmount', 'map-load', 'trip-loading', 'api-error', 'auth-error', 'trip-render', 'error', 'address-not-found', 'live-connected', 'live-position', 'live-disconnected'].map((name) => `'${name}'`).join(' | ')}>(true);
element.addEventListener('mount', ({ detail }) => same<typeof detail, ServiceTripsMap>(true));
element.addEventListener('unmount', ({ detail }) => same<typeof detail, ServiceTripsMap>(true));
element.addEventListener('map-load', ({ detail }) => same<typeof detail, MapboxMap | HTMLImageElement>(true));
element.addEventListener('trip-loading', ({ detail }) => same<typeof detail, boolean>(true));
element.addEventListener('api-error', ({ detail }) => same<typeof detail, Error>(true));
element.addEventListener('auth-error', ({ detail }) => same<typeof detail, Error>(true));
element.addEventListener('trip-render', ({ detail }) => same<typeof detail, MapboxMap | HTMLImageElement>(true));
element.addEventListener('error', ({ detail }) => same<typeof detail, Error>(true));
element.addEventListener('address-not-found', ({ detail }) => same<typeof detail, AddressNotFound>(true));
element.addEventListener('live-connected', ({ detail }) => same<typeof detail, TripsMapEvents['live-connected']>(true));
element.addEventListener('live-position', ({ detail: { vehicleKey, latitude } }) => [vehicleKey.length, latitude.toFixed(5)]);
element.addEventListener('click', (event) => same<typeof event, HTMLElementEventMap['click']>(true));
const loading = (event: CustomEvent<boolean>) => event.detail;
element.addEventListener('trip-loading', loading, { once: true });
element.removeEventListener('trip-loading', loading);
element.removeEventListener('error', ({ detail }) => detail.message);
// @ts-expect-error the detail is no string
element.addEventListener('trip-loading', (event: CustomEvent<string>) => event.detail);
`;

const COMPONENT = `
import 'service-web-components';
import type {} from 'service-web-components/react';

export const map = (
  <service-trips-map
    id="map"
    className="wide"
    vehicle-key="vehicle-1"
    map-type="interactive"
    default-zoom={4}
    reverse-geocode
    tokenProvider={async () => 'token'}
    ref={(element) => void element?.reload()}
    ontrip-loading={(event) => event.detail === true}
    onerror={(event) => event.detail.message}
    onClick={() => undefined}
  />
);
// @ts-expect-error no such choice
export const choice = <service-trips-map map-type="flat" />;
// @ts-expect-error no such attribute
export const attribute = <service-trips-map vehicle_key="vehicle-1" />;
// @ts-expect-error the detail is no string
export const listener = <service-trips-map ontrip-loading={(event) => event.detail.length} />;
`;
