import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { allModels } from '../../../server/database/all-models.ts';

const models = join(import.meta.dirname, '../../../models');

test('every file that registers a model is among all models, so that its indexes are made', async () => {
  const known = allModels()
    .map(({ modelName }) => modelName)
    .sort();
  const files = readdirSync(models, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  for (const file of files) await import(join(models, file));
  expect(
    allModels()
      .map(({ modelName }) => modelName)
      .sort(),
  ).toEqual(known);
  expect(known.length).toBeGreaterThan(20);
});

test('models are registered in the folder of models alone', () => {
  const root = join(models, '..');
  const elsewhere = ['auth', 'resolvers', 'rest-bridge', 'schema', 'server'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file))
      .filter((file) => /mongoose\.model\b|modelOf\(/.test(readFileSync(join(root, file), 'utf8'))),
  );
  expect(elsewhere).toEqual([]);
});
