import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');

/** Sections of RFC 9700 that recommend something. */
const RFC_9700 = [
  ...['2.1', '2.1.1', '2.1.2', '2.2.1', '2.2.2', '2.3', '2.4', '2.5', '2.6'],
  ...Array.from({ length: 17 }, (_, i) => `4.${i + 1}`),
];
const OWASP = Array.from({ length: 10 }, (_, i) => `API${i + 1}:2023`);

/** First cells of the rows below a heading. */
function firstCells(heading: string): string[] {
  const section = text.split(`\n### ${heading}\n`)[1]?.split(/\n##/)[0] ?? '';
  return section.split('\n').flatMap((line) => /^\| ((?:API)?\d[\w.:]*) /.exec(line)?.[1] ?? []);
}

test('SECURITY.md names only tests that there are', () => {
  const named = [...new Set([...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path ?? ''))];
  const files = readdirSync(join(root, 'test'), { recursive: true }).map((path) => `test/${String(path)}`);
  const isThere = (pattern: string) => {
    const [start = '', end = ''] = pattern.split('*');
    return files.some((file) =>
      pattern.includes('*') ? file.startsWith(start) && file.endsWith(end) : file === pattern,
    );
  };
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

test('SECURITY.md has a row for each section of RFC 9700, and for each risk of OWASP', () => {
  expect(firstCells('RFC 9700, OAuth 2.0 Security')).toEqual(expect.arrayContaining(RFC_9700));
  expect(firstCells('OWASP API Security Top 10 (2023)')).toEqual(OWASP);
});
