import { expect, test } from 'vitest';

test('can be imported where there is no document', async () => {
  expect('document' in globalThis).toBe(false);
  await expect(import('../../element/service-web-components.ts')).resolves.toBeDefined();
});
