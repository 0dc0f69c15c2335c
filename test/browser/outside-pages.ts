import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { parse as parseSvelte } from 'svelte/compiler';
import { parse as parseVue } from 'vue/compiler-sfc';
import { build } from 'vite';
import webpack, { type Stats } from 'webpack';

import { at, BUILT_FILES, runNode } from './built-file.ts';
import { type Packed, PackedWorkspaces } from './packed-workspace.ts';
import { closeServer, listenOnLoopback } from '../hosts/loopback.ts';

/** Packages of the project that these pages, and those who build them, have beside the element. */
const LINKED = [
  ...['@lit', 'lit-element', 'lit-html', 'maplibre-gl'],
  ...['@types', 'csstype', 'react', 'react-dom', 'svelte', 'vue', '@vue'],
];

/** Entries of pages: one that only has the element, and those that show the component of an example. */
const MOUNTS = {
  bare: "import 'service-web-components/maplibre';",
  react: `import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import { VehicleTrips } from './react.tsx';
    createRoot(document.body).render(createElement(VehicleTrips, { vehicleKey: 'VEHICLE_KEY' }));`,
  vue: `import { createApp } from 'vue';
    import VehicleTrips from './vue.vue';
    createApp(VehicleTrips, { vehicleKey: 'VEHICLE_KEY' }).mount(document.body);`,
  svelte: `import { mount } from 'svelte';
    import VehicleTrips from './svelte.svelte';
    mount(VehicleTrips, { target: document.body, props: { vehicleKey: 'VEHICLE_KEY' } });`,
};

/** Addresses of the pages of `element/examples`, by what they are made with. */
export const OUTSIDE_PAGES = {
  'a script': 'plain.html',
  'React 19': 'dist/react.html',
  'Vue 3': 'dist/vue.html',
  'Svelte 5': 'dist/svelte.html',
  webpack: 'webpack.html',
  'an import map': 'import-map.html',
};

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** A site with the pages of `element/examples`, in a project in which the packed element is installed. */
export class OutsidePages {
  /** Address of the site, with a slash at its end. */
  address = '';
  /** Paths of the requests so far. */
  readonly requests: string[] = [];
  readonly #server = createServer(async ({ url = '/' }, response) => {
    this.requests.push(url);
    if (url === '/trip-token') return response.end(this.token);
    const body = await readFile(join(this.folder, url)).catch(() => null);
    response.writeHead(body ? 200 : 404, { 'content-type': TYPES[extname(url)] ?? 'application/json' }).end(body);
  });

  private constructor(
    private readonly workspaces: PackedWorkspaces,
    /** The element's package. */
    readonly packed: Packed,
    private readonly token: string,
  ) {}

  /** Folder of the project. */
  get folder(): string {
    return this.workspaces.elsewhere;
  }

  /**
   * Packs the element, installs it, copies the examples and serves the project.
   *
   * @param graphqlUrl address of the service
   * @param token token with which the site answers the pages
   */
  static async start(graphqlUrl: string, token: string): Promise<OutsidePages> {
    const workspaces = await PackedWorkspaces.create(['element']);
    const pages = new OutsidePages(workspaces, await workspaces.pack('element'), token);
    await workspaces.install(pages.packed, 'lit');
    for (const name of LINKED) {
      await symlink(at(`node_modules/${name}`), join(pages.folder, 'node_modules', name));
    }
    pages.address = `http://127.0.0.1:${await listenOnLoopback(pages.#server)}/`;
    await pages.#copyExamples(graphqlUrl);
    return pages;
  }

  async #copyExamples(graphqlUrl: string): Promise<void> {
    for (const name of await readdir(at('element/examples'))) {
      const text = await readFile(at(`element/examples/${name}`), 'utf8');
      const addressed = text
        .replaceAll('https://telemetry.example/graphql', graphqlUrl)
        .replaceAll('https://telemetry.example/map/', this.address);
      await this.#write(name, addressed);
    }
    await this.#write('style.json', await readFile(at('element/local-style.json'), 'utf8'));
    await this.#write('webpack.html', pageWith('dist/main.js'));
    const script = BUILT_FILES['maplibre-gl'];
    await cp(join(this.folder, 'node_modules/service-web-components/dist', script), join(this.folder, script));
    for (const [name, text] of Object.entries(MOUNTS)) {
      await this.#write(`${name}.js`, text);
      await this.#write(`${name}.html`, pageWith(`/${name}.js`));
    }
  }

  /** Bundles the pages that need it: those of frameworks with Vite and its configuration, one with webpack and its own. */
  async bundle(): Promise<void> {
    const { default: vite } = await import(at('element/examples/vite.config.js'));
    const input = Object.keys(MOUNTS).map((name) => join(this.folder, `${name}.html`));
    await build({
      ...vite,
      configFile: false,
      root: this.folder,
      base: '/dist/',
      logLevel: 'error',
      build: { rollupOptions: { input }, emptyOutDir: false, reportCompressedSize: false },
    });
    const { default: config } = await import(at('element/examples/webpack.config.js'));
    const options = {
      ...config,
      // Minifying the engine takes nine tenths of the time, and is webpack's own affair.
      optimization: { minimize: false },
      performance: false,
      context: this.folder,
      output: { path: join(this.folder, 'dist') },
    };
    const stats = await new Promise<Stats | undefined>((resolve, reject) => {
      webpack(options, (error, ended) => (error ? reject(error) : resolve(ended)));
    });
    if (stats?.hasErrors() || stats?.hasWarnings()) throw new Error(stats.toString());
  }

  /** Compiles the examples with the types of their packages checked, too; returns the complaints of the compiler. */
  async compile(): Promise<string[]> {
    const read = (name: string): Promise<string> => readFile(join(this.folder, name), 'utf8');
    const vue = parseVue(await read('vue.vue')).descriptor.scriptSetup?.content ?? '';
    const svelte = await read('svelte.svelte');
    const { start, end } = Object(parseSvelte(svelte, { modern: true }).instance?.content);
    await this.#write('vue-script.ts', vue);
    await this.#write('svelte-script.ts', `/// <reference types="svelte" />\n${svelte.slice(start, end)}`);
    const options = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022', '--jsx', 'react-jsx'];
    const strict = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--allowJs',
      '--checkJs',
      '--types',
      '',
    ];
    const files = ['react.tsx', 'vue-script.ts', 'svelte-script.ts', 'webpack.js'].map((name) =>
      join(this.folder, name),
    );
    const lib = ['--lib', 'es2023,dom,dom.iterable'];
    const output = await runNode(at('node_modules/typescript/bin/tsc'), ...strict, ...options, ...lib, ...files).catch(
      ({ stdout }: { stdout: string }) => stdout,
    );
    return output.split('\n').filter(Boolean);
  }

  /** Writes a program in the project and runs it by Node.js; returns its output. */
  async run(program: string): Promise<string> {
    await this.#write('program.mjs', program);
    return runNode(join(this.folder, 'program.mjs'));
  }

  async #write(name: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, name)), { recursive: true });
    await writeFile(join(this.folder, name), text);
  }

  async close(): Promise<void> {
    await closeServer(this.#server);
    await this.workspaces.remove();
  }
}

/** An empty page with a module. */
function pageWith(script: string): string {
  return `<!doctype html><html lang="en"><title>Trips of a vehicle</title><body></body><script type="module" src="${script}"></script></html>`;
}
