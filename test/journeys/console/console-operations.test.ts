import { readdirSync, readFileSync } from 'node:fs';

import { buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';

import { operationText } from '../../../pages/console/records/operation-text.ts';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));

/** Mutations that no page of the console sends, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  registerApp: 'the page Apps',
  rotateAppSecret: 'the page Apps',
  updateApp: 'the page Apps',
  deregisterApp: 'the page Apps',
  redeemShare: 'the component, for readers of an embedded share',
};

/** The sources of the pages, and of the client, which has some of their selections. */
const FOLDERS = ['pages/console/views', 'pages/console/browser', 'pages/console/records', 'client/live'];
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name !== 'records.ts')
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
);

/** Writes the constants into a text that names them. */
const filled = (text: string): string =>
  text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const declaration = new RegExp(`const ${name} =\\s+[\`']([^\`']*)`);
    return filled(sources.map((source) => declaration.exec(source)?.[1]).find((value) => value !== undefined) ?? '');
  });

/** Operations that the pages send: those that they write, and those of the fields that `records/records.ts` reads. */
const operations = sources.flatMap((source) => [
  ...Array.from(
    source.matchAll(/[`'"]((?:query|mutation|subscription) (?:Console|WaybridgeClient)[^`'"]*)/g),
    ([, text = '']) => filled(text),
  ),
  ...Array.from(source.matchAll(/\b(change|query|RecordList)<[\s\S]*?>\(\s*[`']([^`']*)/g), ([, kind, field = '']) =>
    operationText(kind === 'change' ? 'mutation' : kind === 'query' ? 'query' : 'list', filled(field)),
  ),
]);

const mutationsOf = (text: string): string[] =>
  parse(text).definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition' && definition.operation === 'mutation'
      ? definition.selectionSet.selections.map((field) => (field.kind === 'Field' ? field.name.value : ''))
      : [],
  );

test('each operation of the console is one of the schema', () => {
  expect(operations.length).toBeGreaterThan(50);
  for (const text of operations) expect([text, validate(schema, parse(text))]).toEqual([text, []]);
});

test('each mutation of the schema is on a page of the console, or elsewhere with a reason', () => {
  const sent = new Set(operations.flatMap(mutationsOf));
  const declared = Object.values(schema.getMutationType()?.getFields() ?? {})
    .filter(({ deprecationReason }) => !deprecationReason)
    .map(({ name }) => name);
  expect(declared.filter((name) => !sent.has(name) && ELSEWHERE[name] === undefined)).toEqual([]);
  expect(Object.keys(ELSEWHERE).filter((name) => sent.has(name) || !declared.includes(name))).toEqual([]);
});
