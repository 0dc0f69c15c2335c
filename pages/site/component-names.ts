/** Names of the files of the component that `npm run build:element` writes to `dist/`: one with each map engine. */
export const COMPONENT_NAMES = {
  maplibre: 'service-web-components.maplibre.umd.js',
  mapbox: 'service-web-components.umd.js',
} as const;

/** Path below the site's of a version of the file, which never changes; the stable one if it has not been built. */
export function versionedPath(name: string, components: ReadonlyMap<string, { readonly digest: string }>): string {
  const file = components.get(name);
  return file ? `component/${file.digest}/${name}` : name;
}

/** Name of the file that pages of the service use: Mapbox's needs a token. */
export function componentName(mapboxAccessToken: string | null): string {
  return mapboxAccessToken === null ? COMPONENT_NAMES.maplibre : COMPONENT_NAMES.mapbox;
}
