/** The parts of the project's package.json that the package takes over. */
interface ProjectManifest {
  readonly version: string;
  readonly devDependencies: Readonly<Record<'lit' | 'mapbox-gl' | 'maplibre-gl', string>>;
}

/** Engines that the entries load; a reader installs one. */
const ENGINES = ['mapbox-gl', 'maplibre-gl'] as const;

/** Returns the package.json of the npm package. Its license is a file, because a bundle contains mapbox-gl with its own. */
export function packageManifest({ version, devDependencies }: ProjectManifest): object {
  return {
    name: 'service-web-components',
    version,
    description: 'A web component that shows the trips of a vehicle on a map',
    license: 'SEE LICENSE IN LICENSE',
    type: 'module',
    sideEffects: ['./service-web-components.js', './maplibre.js', './*.umd.js'],
    exports: {
      '.': { types: './service-web-components.d.ts', default: './service-web-components.js' },
      './react': { types: './react.d.ts' },
      './maplibre': { types: './maplibre.d.ts', default: './maplibre.js' },
      './maplibre/react': { types: './maplibre/react.d.ts' },
      './service-web-components.umd.js': './service-web-components.umd.js',
      './service-web-components.maplibre.umd.js': './service-web-components.maplibre.umd.js',
      './custom-elements.json': './custom-elements.json',
      './vscode.html-custom-data.json': './vscode.html-custom-data.json',
      './vscode.css-custom-data.json': './vscode.css-custom-data.json',
      './package.json': './package.json',
    },
    types: './service-web-components.d.ts',
    unpkg: './service-web-components.umd.js',
    jsdelivr: './service-web-components.umd.js',
    customElements: './custom-elements.json',
    dependencies: { lit: `^${devDependencies.lit}` },
    peerDependencies: Object.fromEntries(ENGINES.map((name) => [name, `^${devDependencies[name]}`])),
    peerDependenciesMeta: Object.fromEntries(ENGINES.map((name) => [name, { optional: true }])),
  };
}
