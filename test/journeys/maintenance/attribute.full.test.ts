import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { examplesOf } from '../../../pages/component/component-examples.ts';
import { openBrowser } from '../../browser/browser.ts';
import { useTreeCopy } from './tree-copy.ts';

const DECLARATION = `  /** Shows a scale bar on an interactive map. */
  @attribute({ type: Boolean }) scaleBar = false;`;
const ROW = '| `scale-bar` | boolean | `false` | Shows a scale bar on an interactive map. |';

interface Manifest {
  readonly modules: [{ readonly declarations: [{ readonly attributes: { name: string; type: { text: string } }[] }] }];
}

const tree = useTreeCopy();
const built = (name: string): Promise<string> => readFile(tree.path(`dist/${name}`), 'utf8');

test('an attribute is one declaration, for which the documentation test demands one row', async () => {
  await tree.insert('element/attributes/trips-map-attributes.ts', ' replay = false;', DECLARATION);
  const undocumented = await tree.run('vitest', 'run', 'test/element/readme.test.ts');
  expect(undocumented.code).not.toBe(0);
  expect(undocumented.output).toContain('scale-bar');

  await tree.insert('element/README.md', '| `replay`                    | boolean', ROW);
  expect(await tree.run('vitest', 'run', 'test/element/readme.test.ts')).toMatchObject({ code: 0 });
});

test('the changed tree compiles, and passes the linter', async () => {
  expect(await tree.run('tsc', '-p', '.')).toMatchObject({ code: 0 });
  expect(await tree.run('biome', 'ci', 'element/attributes')).toMatchObject({ code: 0 });
});

test('the build puts it into the manifest, the types and the editor data, and the docs page has an example', async () => {
  const build = ['vite', 'build', '--config'] as const;
  for (const engine of ['mapbox-gl', 'maplibre-gl']) {
    expect(await tree.run(...build, 'element/vite.config.ts', '--mode', engine)).toMatchObject({ code: 0 });
  }
  expect(await tree.run('tsc', '-p', 'element/package')).toMatchObject({ code: 0 });
  expect(await tree.run(...build, 'element/package/vite.config.ts')).toMatchObject({ code: 0 });
  // The types of an installed package are found beside its dependencies, which are linked here.
  const guards = [
    '-t',
    '^(?!.*the types of)',
    'test/element/package.test.ts',
    'test/element/attributes/attribute.test.ts',
  ];
  expect(await tree.run('vitest', 'run', ...guards)).toMatchObject({ code: 0 });

  const description = 'Shows a scale bar on an interactive map.';
  const manifest = JSON.parse(await built('custom-elements.json')) as Manifest;
  const { attributes } = manifest.modules[0].declarations[0];
  const entry = { name: 'scale-bar', fieldName: 'scaleBar', type: { text: 'boolean' }, default: 'false', description };
  expect(attributes).toContainEqual(entry);
  expect(await built('react.d.ts')).toContain(`/** ${description} */\n  'scale-bar'?: boolean | undefined;`);
  expect(await built('types/element/attributes/trips-map-attributes.d.ts')).toContain('scaleBar: boolean;');
  expect(JSON.parse(await built('vscode.html-custom-data.json')).tags[0].attributes).toContainEqual({
    name: 'scale-bar',
    description,
    valueSet: 'v',
  });
  expect(examplesOf('attributes', entry)).toEqual([{ code: 'scale-bar', attributes: { 'scale-bar': '' } }]);
});

test('the built element has it, reflected and with its default', async () => {
  const browser = await openBrowser();
  const page = await browser.newPage();
  await page.setContent('<service-trips-map></service-trips-map>');
  await page.addScriptTag({ path: tree.path('dist/service-web-components.umd.js'), type: 'module' });
  const seen = await page.evaluate(async () => {
    await customElements.whenDefined('service-trips-map');
    const element = document.querySelector('service-trips-map') as unknown as HTMLElement & { scaleBar: boolean };
    const seen: unknown[] = [element.scaleBar, element.hasAttribute('scale-bar')];
    element.scaleBar = true;
    await (element as unknown as { updateComplete: Promise<boolean> }).updateComplete;
    seen.push(element.getAttribute('scale-bar'));
    element.setAttribute('scale-bar', 'false');
    seen.push(element.scaleBar);
    element.setAttribute('scale-bar', '');
    seen.push(element.scaleBar);
    element.removeAttribute('scale-bar');
    return [...seen, element.scaleBar];
  });
  await browser.close();
  expect(seen).toEqual([false, false, '', false, true, false]);
});
