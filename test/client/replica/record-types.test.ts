import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { buildSchema, parse } from 'graphql';
import { expect, test } from 'vitest';

import { CHANGES_QUERY, DERIVED_EVENTS } from '../../../client/replica/record-fields.ts';
import { EVENT_KINDS } from '../../../schema/events/event-kinds.ts';

test('the types of records are those of the schema', async () => {
  const sdl = await readFile(join(import.meta.dirname, '../../../schema.graphql'), 'utf8');
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: './',
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents: [{ location: 'record-fields.ts', rawSDL: CHANGES_QUERY, document: parse(CHANGES_QUERY) }],
    config: {
      documentMode: 'string',
      useTypeImports: true,
      immutableTypes: true,
      scalars: { DateTime: 'string', SpacedDateTime: 'string' },
    },
    presetConfig: { fragmentMasking: false },
    ...{ plugins: [], pluginMap: {} },
  });
  const output = outputs.find(({ filename }) => filename.endsWith('graphql.ts'));
  const types = output && (await codegen({ ...output, plugins: [{ 'typescript-operations': {} }] }));
  // Values are described in the schema.
  await expect(types?.replaceAll(/^ *\/\*\*.*\*\/\n/gm, '')).toMatchFileSnapshot(
    '../../../client/replica/record-types.ts',
  );
});

test('events that are not in the log are those that follow from trips and visits', () => {
  const derived = Object.entries(EVENT_KINDS).filter(([, { from }]) =>
    from.some((source) => ['trip', 'visit'].includes(source)),
  );
  expect([...DERIVED_EVENTS].sort()).toEqual(derived.map(([name]) => name).sort());
});
