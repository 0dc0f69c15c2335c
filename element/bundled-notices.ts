import { fileURLToPath } from 'node:url';

import { thirdPartyNotices } from '../command/third-party-notices.ts';

/** Packages that the one file contains. */
const BUNDLED = ['mapbox-gl', 'lit', 'lit-html', 'lit-element', '@lit/reactive-element'];

/** Returns the full license texts of all packages in `service-web-components.umd.js`. */
export function bundledNotices(): string {
  const modules = BUNDLED.map((name) =>
    fileURLToPath(new URL(`../node_modules/${name}/package.json`, import.meta.url)),
  );
  return thirdPartyNotices('service-web-components.umd.js', modules);
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
