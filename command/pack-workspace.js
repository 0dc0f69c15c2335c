/**
 * Run by `npm pack` and `npm publish` of a workspace, in its folder: `prepack` puts its built files and licenses beside its
 * package.json, and `postpack` removes them.
 *
 * The element takes the files that `npm run build:element` has made in `dist`; the others are compiled here.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = process.cwd();
/** Files that the package has once, beside its package.json. */
const BESIDE = ['LICENSE', 'THIRD-PARTY-NOTICES.txt'];

for (const name of ['dist', ...BESIDE]) rmSync(join(FOLDER, name), { recursive: true, force: true });
if (process.argv[2] === 'prepack') {
  if (basename(FOLDER) === 'element') packElement();
  else packCompiled();
}

function packElement() {
  const built = join(ROOT, 'dist');
  const elsewhere = new Set(['package.json', 'README.md', 'CHANGELOG.md', ...BESIDE].map((name) => join(built, name)));
  cpSync(built, join(FOLDER, 'dist'), { recursive: true, filter: (path) => !elsewhere.has(path) });
  for (const name of BESIDE) cpSync(join(built, name), join(FOLDER, name));
}

function packCompiled() {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.package.json'], { cwd: FOLDER, stdio: 'inherit' });
  cpSync(join(ROOT, 'LICENSE'), join(FOLDER, 'LICENSE'));
}
