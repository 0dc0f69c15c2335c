import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { readReference } from '../../element/package/element-reference.ts';

const read = (path: string): string => readFileSync(new URL(`../../element/${path}`, import.meta.url), 'utf8');
const readme = read('README.md');
const element = read('service-trips-map.ts');

/** Returns the names in the first column of the table with this head. */
function firstColumn(head: string): string[] {
  const table = readme.split('\n\n').find((block) => new RegExp(`^\\| ${head} +\\|`).test(block)) ?? '';
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name ?? '');
}

function matches(source: string, pattern: RegExp): string[] {
  return [...source.matchAll(pattern)].map(([, name]) => name ?? '');
}

const { attributes, events, slots, parts, states, cssProperties } = readReference(
  read('attributes/trips-map-attributes.ts'),
  element,
);

test.each([
  ['Attribute', attributes],
  ['Event', events],
  ['Slot', slots],
  ['Part', parts],
  ['State', states],
  ['Custom property', cssProperties],
])('the table %s lists what the element has', (head, things) => {
  expect(things.length).toBeGreaterThan(0);
  expect(firstColumn(head)).toEqual(things.map(({ name }) => name));
});

test('every event that can be emitted is documented on the element', () => {
  const emitted = /interface TripsMapEvents<[^{]*\{([^}]*)\}/.exec(read('trips-map-events.ts'))?.[1] ?? '';
  expect(matches(emitted, /^ {2}'?([\w-]+)'?:/gm)).toEqual(events.map(({ name }) => name));
});

test('every custom property that is used is documented', () => {
  const styles = ['map', 'stop', 'state', 'panel'].map((part) => read(`styles/${part}-styles.ts`)).join('');
  const used = new Set(matches(styles, /var\((--trips-map-[\w-]+)/g));
  expect([...used].sort()).toEqual(firstColumn('Custom property').sort());
});
