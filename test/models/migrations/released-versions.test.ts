import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { MIGRATIONS } from '../../../models/migrations/versions/all-migrations.ts';
import { newestVersion, storeDataVersion } from '../../../models/migrations/data-version.ts';
import { db, useOldDatabase } from './old-database.ts';

useOldDatabase();

/** Releases, the newest first, as CHANGELOG.md lists them, and as docs/upgrading.md does with the version of their data. */
interface Releases {
  readonly changelog: string;
  readonly table: string;
  /** Version of the data of the program. */
  readonly program: number;
}

const REAL: Releases = {
  changelog: readFileSync('CHANGELOG.md', 'utf8'),
  table: readFileSync('docs/upgrading.md', 'utf8'),
  program: newestVersion(MIGRATIONS),
};

/** Faults of the versions of data of releases. */
function releaseFaults({ changelog, table, program }: Releases): string[] {
  const headings = [...changelog.matchAll(/^## \[?([\w.]+)/gm)].map(([, heading = '']) => heading);
  const released = headings.filter((heading) => heading !== 'Unreleased');
  const rows = [...table.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d+) \|$/gm)];
  const versions = new Map(rows.map(([, release = '', version]) => [release, Number(version)]));
  const versionOf = (release: string) => versions.get(release) ?? 0;
  const faults = released.filter((release) => !versions.has(release)).map((release) => `${release} has no row`);
  for (const [at, release] of released.entries()) {
    const isRaised = versionOf(release) > versionOf(released[at + 1] ?? '');
    if (release.endsWith('.0') && !isRaised) faults.push(`${release} does not raise the version`);
  }
  const last = versionOf(released[0] ?? '');
  const isReleased = headings[0] !== 'Unreleased';
  if (isReleased ? program !== last : program < last) faults.push(`the program has version ${program}, not ${last}`);
  return faults;
}

test('a release raises the version of the data, and is in the table of versions', () => {
  expect(releaseFaults(REAL)).toEqual([]);
});

test.each<[string, Partial<Releases>]>([
  ['0.3.0 has no row', { table: '| 0.2.1 | 10 |\n| 0.2.0 | 10 |\n' }],
  ['0.3.0 does not raise the version', { table: '| 0.3.0 | 10 |\n| 0.2.1 | 10 |\n| 0.2.0 | 10 |\n', program: 10 }],
  ['the program has version 14, not 13', { program: 14 }],
])('"%s" is found before a release', (fault, changed) => {
  const releases = {
    changelog: '## [0.3.0] - 2026-12-01\n## [0.2.1] - 2026-11-29\n## [0.2.0] - 2026-11-24\n',
    table: '| 0.3.0 | 13 |\n| 0.2.1 | 10 |\n| 0.2.0 | 10 |\n',
    program: 13,
  };
  expect(releaseFaults(releases)).toEqual([]);
  expect(releaseFaults({ ...releases, ...changed })).toContain(fault);
});

test('programs of 0.2.0, which knows version 10, reject new data', async () => {
  const { version, least_reader } = await storeDataVersion(db(), MIGRATIONS);
  expect([version, least_reader]).toEqual([REAL.program, REAL.program]);
  expect(least_reader).toBeGreaterThan(10);
});
