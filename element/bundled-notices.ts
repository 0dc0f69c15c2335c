import { fileURLToPath } from 'node:url';

import { thirdPartyNotices } from '../command/third-party-notices.ts';

/** Packages that every built file contains, beside its engine. */
const SHARED = ['lit', 'lit-html', 'lit-element', '@lit/reactive-element'];

/** Returns the full license texts of these engines and of all other packages in `what`. */
export function bundledNotices(what: string, engines: readonly string[]): string {
  const modules = [...engines, ...SHARED].map((name) =>
    fileURLToPath(new URL(`../node_modules/${name}/package.json`, import.meta.url)),
  );
  return thirdPartyNotices(what, modules);
}

/** Returns the license of the npm package: ours, with a reference to those of the bundled packages. */
export function packageLicense(ours: string): string {
  return (
    'The MIT License below covers the code of service-web-components itself. Its two built files also contain lit and a map\n' +
    'engine, each under its own terms, which are in THIRD-PARTY-NOTICES.txt. service-web-components.maplibre.umd.js contains\n' +
    'maplibre-gl (BSD 3-Clause). service-web-components.umd.js contains mapbox-gl, whose terms are not open source: they ask\n' +
    'for a Mapbox account and for use with products of Mapbox.\n\n' +
    ours
  );
}

/** Returns all notices of a built file as the comment at its head, in the form that minifiers preserve. */
export function bundleBanner(file: string, engine: string): string {
  return `/*!\n${bundledNotices(file, [engine]).replaceAll('*/', '* /')}*/`;
}
