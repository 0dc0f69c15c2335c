/** The parts of the project's package.json that the package takes over. */
interface ProjectManifest {
  readonly version: string;
  readonly devDependencies: Readonly<Record<'lit' | 'mapbox-gl', string>>;
}

/** Returns the package.json of the npm package. Its license is a file, because the bundle contains mapbox-gl with its own. */
export function packageManifest({ version, devDependencies }: ProjectManifest): object {
  return {
    name: 'service-web-components',
    version,
    description: 'A web component that shows the trips of a vehicle on a map',
    license: 'SEE LICENSE IN LICENSE',
    type: 'module',
    sideEffects: ['./service-web-components.js', './service-web-components.umd.js'],
    exports: {
      '.': { types: './service-web-components.d.ts', default: './service-web-components.js' },
      './react': { types: './react.d.ts' },
      './service-web-components.umd.js': './service-web-components.umd.js',
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
    peerDependencies: { 'mapbox-gl': `^${devDependencies['mapbox-gl']}` },
  };
}
