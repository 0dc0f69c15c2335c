import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Packages that the one file contains, with the file of their license. */
const BUNDLED = [
  ['mapbox-gl', 'LICENSE.txt'],
  ['lit', 'LICENSE'],
  ['lit-html', 'LICENSE'],
  ['lit-element', 'LICENSE'],
  ['@lit/reactive-element', 'LICENSE'],
] as const;

/** Returns the full license texts of all packages in `service-web-components.umd.js`. */
export function bundledNotices(): string {
  const notices = BUNDLED.map(([name, file]) => `${name} ${versionOf(name)}\n\n${textOf(name, file)}`);
  return `${['service-web-components.umd.js contains the following packages.', ...notices].join(`\n\n${'='.repeat(80)}\n\n`)}\n`;
}

/** Returns the license of the npm package: ours, with a reference to those of the bundled packages. */
export function packageLicense(ours: string): string {
  return (
    'The MIT License below covers the code of service-web-components itself. The file service-web-components.umd.js also\n' +
    'contains mapbox-gl, lit and their parts, each under its own terms, which are in THIRD-PARTY-NOTICES.txt. The terms of\n' +
    'mapbox-gl are not open source: they ask for a Mapbox account and for use with products of Mapbox.\n\n' +
    ours
  );
}

/** Returns all notices as the comment at the head of the one file, in the form that minifiers preserve. */
export function bundleBanner(): string {
  return `/*!\n${bundledNotices().replaceAll('*/', '* /')}*/`;
}

function versionOf(name: string): string {
  return (JSON.parse(textOf(name, 'package.json')) as { version: string }).version;
}

function textOf(name: string, file: string): string {
  return readFileSync(fileURLToPath(new URL(`../node_modules/${name}/${file}`, import.meta.url)), 'utf8').trim();
}
