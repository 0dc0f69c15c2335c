import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Folders that each folder may import; ARCHITECTURE.md shows their order. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  models: ['schema'],
  auth: ['models', 'schema'],
  http: ['auth', 'schema'],
  tracking: ['auth', 'models', 'schema'],
  'rest-bridge': ['http', 'schema', 'tracking'],
  notifying: ['auth', 'models', 'schema', 'tracking'],
  resolvers: ['auth', 'models', 'notifying', 'schema', 'tracking'],
  graphql: ['auth', 'http', 'models', 'resolvers', 'schema', 'tracking'],
  content: ['auth', 'graphql', 'http', 'models', 'resolvers', 'rest-bridge', 'schema', 'tracking'],
  pages: [
    ...['auth', 'client', 'command', 'content', 'element', 'graphql', 'http', 'models', 'resolvers', 'schema'],
    'tracking',
  ],
  embedded: [],
  element: ['command', 'schema'],
  client: ['element'],
  server: [
    ...['auth', 'command', 'content', 'embedded', 'graphql', 'http', 'models', 'notifying', 'pages', 'resolvers'],
    ...['rest-bridge', 'schema', 'tracking'],
  ],
  cli: [
    'auth',
    'content',
    'embedded',
    'graphql',
    'http',
    'models',
    'notifying',
    'resolvers',
    'schema',
    'server',
    'tracking',
  ],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?[^'";]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gms);
  return [...statements].map((match) => ({
    from: file,
    to: normalize(join(dirname(file), match[2] ?? match[3] ?? '')),
    isType: match[1] !== undefined,
  }));
}

const folderOf = (file: string): string => file.split('/')[0] ?? '';
const files = Object.keys(MAY_IMPORT).flatMap((folder) => findFiles(folder));

function findFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
}

const imports = files.flatMap(importsOf);

test.each(Object.entries(MAY_IMPORT))('%s imports only %j of the project', (folder, allowed) => {
  const wrong = imports.filter(({ from, to }) => {
    const target = folderOf(to);
    return folderOf(from) === folder && target !== folder && !allowed.includes(target);
  });
  expect(findFiles(folder).length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

/** Ways that lead back to where they begin, in a graph of what imports what. */
function circlesOf(edges: readonly (readonly [from: string, to: string])[]): string[] {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    if (path.includes(node) || done.has(node)) return;
    for (const to of next.get(node) ?? []) visit(to, [...path, node]);
    done.add(node);
  };
  for (const node of next.keys()) visit(node, []);
  return circles;
}

test('no file imports itself by way of others, not for a type either', () => {
  expect(circlesOf(imports.map(({ from, to }) => [from, to]))).toEqual([]);
  expect(
    circlesOf([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
    ]),
  ).toEqual(['b → c → b']);
});

/** Folders of `test/` that mirror no room: journeys cross rooms, `command` is JavaScript, the others help tests. */
const ASIDE = /^test\/(journeys|campaigns|browser|command|ops)\//;

test('each test lies beside what it tests, or among the journeys', () => {
  const rooms = new Set(files.flatMap((file) => [dirname(file), dirname(dirname(file))]));
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .filter((name) => !ASIDE.test(name) && dirname(name) !== 'test');
  expect(tests.length).toBeGreaterThan(100);
  expect(tests.filter((name) => !rooms.has(dirname(name).slice('test/'.length)))).toEqual([]);
});

test('inside a room, too, imports between folders lead in one direction', () => {
  const between = imports
    .map(({ from, to }) => [dirname(from), dirname(to)] as const)
    .filter(([from, to]) => from !== to && folderOf(from) === folderOf(to));
  expect(circlesOf(between)).toEqual([]);
});

test('a file lies at most four levels deep', () => {
  expect(files.filter((file) => file.split('/').length > 4)).toEqual([]);
});

test('the element takes code only from the pure grammars of the schema, and its operations', () => {
  const code = imports.filter(
    ({ from, to, isType }) => folderOf(from) === 'element' && folderOf(to) === 'schema' && !isType,
  );
  const targets = [...new Set(code.map(({ to }) => to))].sort();
  expect([
    'schema/date-time.ts',
    'schema/once.ts',
    'schema/parse-url.ts',
    'schema/trips/polyline.ts',
    'schema/trips/trip-drawing.ts',
    'schema/trips/trips-query.ts',
  ]).toEqual(expect.arrayContaining(targets));
  for (const target of targets) {
    const imported = /^import (?!\{ escapeXml \} from '\.\.\/xml\.ts')/m;
    expect(readFileSync(join(root, target), 'utf8'), `${target} must import pure code only`).not.toMatch(imported);
  }
});

test('nobody but the server and its commands knows the embedded database', () => {
  const knowing = imports.filter(({ from, to }) => folderOf(to) === 'embedded' && folderOf(from) !== 'embedded');
  expect(new Set(knowing.map(({ from }) => folderOf(from)))).toEqual(new Set(['cli', 'server']));
});

describe('records are read and written through their stores, where tenants are kept apart', () => {
  const filesWith = (pattern: RegExp) =>
    files.filter((file) => !file.startsWith('embedded/') && pattern.test(readFileSync(join(root, file), 'utf8')));
  const isModel = (file: string) => file.startsWith('models/') || file.startsWith('content/models/');

  test('so that nothing above them imports Mongoose, but what connects, indexes, moves or measures a database', () => {
    expect(filesWith(/ from 'mongoose'/).filter((file) => !isModel(file))).toEqual([
      'server/database/capabilities.ts',
      'server/database/command-spans.ts',
      'server/database/database.ts',
      'server/database/indexes.ts',
      'server/database/point-reads.ts',
      'server/database/shard-commands.ts',
      'cli/move/data-place.ts',
      'cli/move/move-data.ts',
    ]);
  });

  test('and nothing sends a command around them, but what makes indexes, tries or moves a database', () => {
    expect(filesWith(/\.(?:driver|model)\(/).filter((file) => !isModel(file))).toEqual(['server/database/indexes.ts']);
    const around = filesWith(
      /\bdb\.collection\b(?!\.name')|\bconnection\.(?:db|collection)\b|\{ db \} = |: \{ db \} \}/,
    );
    expect(around.filter((file) => !isModel(file))).toEqual([
      'server/database/capabilities.ts',
      'server/database/database.ts',
      'cli/move/move-data.ts',
    ]);
  });

  test('and a cursor is read to its end: one from which a document is taken may stay open, and holds its snapshot', () => {
    expect(filesWith(/\)\.next\(\)/)).toEqual([]);
  });

  test('and what is joined is joined there', () => {
    expect(filesWith(/\$lookup: /).sort()).toEqual(['models/store/join-stages.ts']);
  });
});

test('a module keeps nothing for the process but what it always computes to the same', () => {
  const variables = files.filter(
    (file) => !file.startsWith('embedded/') && /^(?:export )?let /m.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(variables).toEqual([]);
});

test('no folder is named utils, helpers or common, and no file is a barrel', () => {
  expect(files.filter((file) => /(?:^|\/)(?:utils?|helpers?|common|misc|index)(?:\/|\.ts$)/.test(file))).toEqual([]);
});

test('ARCHITECTURE.md is a guide of at most 8 KB', () => {
  expect(readFileSync(join(root, 'ARCHITECTURE.md')).byteLength).toBeLessThanOrEqual(8000);
});

/** Top-level folders with files of the project. */
const FOLDERS = [...Object.keys(MAY_IMPORT), 'bench', 'command', 'docs', 'ops', 'test'];
/** Folders without a README: pages, recorded data, pictures, and folders of which every file is served. */
const WITHOUT_README = /^(?:docs|test\/fixtures|test\/browser\/goldens|pages\/site\/(?:browser|styles))(?:\/|$)/;
/** Folders whose READMEs may be longer, since they explain a whole top-level folder or a protocol. */
const LONG_README: ReadonlySet<string> = new Set([
  ...[
    'auth',
    'client',
    'command',
    'content',
    'element',
    'embedded',
    'http',
    'models',
    'resolvers',
    'rest-bridge',
    'schema',
  ],
  ...['server', 'tracking', 'notifying/changes', 'notifying/live', 'notifying/webhooks', 'graphql', 'pages', 'cli'],
]);
const MAX_FILES_WITHOUT_README = 8;
const MAX_README_LINES = 40;

test('every folder with more than eight files has a README of at most 40 lines', () => {
  const counts = new Map<string, number>();
  for (const name of FOLDERS) {
    for (const entry of readdirSync(join(root, name), { recursive: true, withFileTypes: true })) {
      const folder = relative(root, entry.parentPath).replaceAll('\\', '/');
      if (entry.isFile() && !/(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(folder)) {
        counts.set(folder, (counts.get(folder) ?? 0) + 1);
      }
    }
  }
  const readmeOf = (folder: string) => join(root, folder, 'README.md');
  const lengthOf = (folder: string) => readFileSync(readmeOf(folder), 'utf8').trimEnd().split('\n').length;
  const found = [...counts.keys()].filter((folder) => !WITHOUT_README.test(folder));
  const [described, others] = [true, false].map((has) => found.filter((name) => existsSync(readmeOf(name)) === has));
  expect(described?.length).toBeGreaterThan(80);
  expect(others?.filter((folder) => (counts.get(folder) ?? 0) > MAX_FILES_WITHOUT_README)).toEqual([]);
  expect(described?.filter((folder) => !LONG_README.has(folder) && lengthOf(folder) > MAX_README_LINES)).toEqual([]);
});

test('a README names only files that there are', () => {
  const all = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ).filter((file) => !file.includes('node_modules'));
  const names = new Set(all.map((file) => basename(file)));
  const dead = all
    .filter((file) => basename(file) === 'README.md')
    .flatMap((file) => {
      const named = readFileSync(join(root, file), 'utf8').matchAll(/`(?:[\w.-]+\/)*([a-z][\w.-]*\.ts)`/g);
      return [...named]
        .map(([, name = '']) => name)
        .filter((name) => !names.has(name))
        .map((name) => `${file}: ${name}`);
    });
  expect(names.size).toBeGreaterThan(1000);
  expect(dead).toEqual([]);
});

test('ARCHITECTURE.md names every maintenance test in its table of what to add', () => {
  const folder = 'test/journeys/maintenance';
  const tests = readdirSync(join(root, folder)).filter(
    (name) => name.endsWith('.test.ts') && !name.startsWith('tree-copy'),
  );
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const named = [...text.matchAll(/`test\/journeys\/maintenance\/([\w.-]+)` \|$/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(tests.sort());
  expect(tests).toHaveLength(8);
});

test('addresses are parsed by parseUrl: URL.canParse refuses names in other scripts once it is optimized', () => {
  expect(files.filter((file) => /\bcanParse\(/.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test('CONTRIBUTING names every test that npm test does not run', () => {
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const omitted = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && file !== 'architecture.test.ts')
    .filter(
      (file) => file.endsWith('.full.test.ts') || /\bfullTest\(/.test(readFileSync(join(root, 'test', file), 'utf8')),
    )
    .map((file) => file.replace(/(?:\.full)?\.test\.ts$/, ''));
  expect(omitted.length).toBeGreaterThan(15);
  const isNamed = (name: string) => [name, dirname(name)].some((part) => guide.includes(`\`${part}\``));
  expect(omitted.filter((name) => !isNamed(name))).toEqual([]);
});
