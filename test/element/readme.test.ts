import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../element/${path}`, import.meta.url), 'utf8');
const readme = read('README.md');
const element = read('service-trips-map.ts');

/** What the first column holds of the table whose first column has this head. */
function firstColumn(head: string): string[] {
  const table = readme.split('\n\n').find((block) => new RegExp(`^\\| ${head} +\\|`).test(block)) ?? '';
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name ?? '');
}

function matches(source: string, pattern: RegExp): string[] {
  return [...source.matchAll(pattern)].map(([, name]) => name ?? '');
}

const attributes = [
  ...read('trips-map-attributes.ts').matchAll(/@property\((?:\{ attribute: '([^']+)'[^)]*|REFLECTED)\)\s+(\w+)/g),
].map(([, attribute, name]) => attribute ?? name ?? '');

test.each([
  ['Attribute', attributes],
  ['Event', matches(element, /@event \{.+?\} ([\w-]+) - /g)],
  ['Slot', matches(element, /@slot ([\w-]+) - /g)],
  ['Part', matches(element, /@csspart ([\w-]+) - /g)],
  ['Custom property', matches(element, /@cssproperty (--[\w-]+) - /g)],
])('the table %s says what the element has', (head, names) => {
  expect(names.length).toBeGreaterThan(0);
  expect(firstColumn(head)).toEqual(names);
});

test('every event that can be emitted is documented on the element', () => {
  const events = /interface TripsMapEvents<[^{]*\{([^}]*)\}/.exec(read('trips-map-events.ts'))?.[1] ?? '';
  expect(matches(events, /^ {2}'?([\w-]+)'?:/gm)).toEqual(matches(element, /@event \{.+?\} ([\w-]+) - /g));
});

test('every custom property that is used is documented', () => {
  const styles = ['map', 'stop', 'state', 'panel'].map((part) => read(`styles/${part}-styles.ts`)).join('');
  const used = new Set(matches(styles, /var\((--trips-map-[\w-]+)/g));
  expect([...used].sort()).toEqual(firstColumn('Custom property').sort());
});
