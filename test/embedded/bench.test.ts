import { expect, test } from 'vitest';

import { createProgram } from '../../bench/program.ts';

test('the help of the benches says which there are, and the sizes they take', () => {
  let help = '';
  createProgram()
    .configureOutput({ writeOut: (text) => (help += text) })
    .outputHelp();
  expect(help).toMatch(/^ {2}embedded +the embedded database, against/m);
  expect(help).toMatch(/--small <documents> .*default: 100000/);
  expect(help).toMatch(/--large <documents> .*default: 1000000/);
  expect(help).toMatch(/--json .*one JSON object/);
  expect(help).toMatch(/npm run bench -- embedded/);
});

test('a bench that there is not is refused with those that there are', async () => {
  let said = '';
  const program = createProgram()
    .exitOverride()
    .configureOutput({ writeErr: (text) => (said += text) });
  await expect(program.parseAsync(['nonsense'], { from: 'user' })).rejects.toThrow('nonsense');
  expect(said).toBe('There is no bench nonsense; there is embedded, content, element, trips, trips-import\n');
});
