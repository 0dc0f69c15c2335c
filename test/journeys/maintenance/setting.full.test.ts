import { expect, test, vi } from 'vitest';

import { outcomeOf, spawnWaybridge } from '../../processes/waybridge-process.ts';

import { useTreeCopy } from './tree-copy.ts';

// A tree is compiled.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const ROW = "  graceDays: required('GRACE_DAYS', '3', 'Days for which unpaid accounts stay open', DAYS),";
const DOCUMENTED = '| `GRACE_DAYS` | `3` | Days for which unpaid accounts stay open |';
const TABLE_TEST = ['run', '-t', 'the table of settings is', 'test/journeys/documentation.test.ts'];

/** Code of the domain that uses the setting. */
const USE = `import type { Service } from '../store/service.ts';

/** Time for which unpaid accounts stay open, in milliseconds. */
export function graceTime({ settings }: Service): number {
  return settings.graceDays * 86_400_000;
}
`;

const tree = useTreeCopy();

test('a setting is one row, and the row of its page', async () => {
  await tree.insert('server/configuration/config.ts', "required('BACKUP_KEEP'", ROW);
  const undocumented = await tree.run('vitest', ...TABLE_TEST);
  expect(undocumented).toMatchObject({ code: 1, output: expect.stringContaining('GRACE_DAYS') });
  await tree.insert('docs/settings.md', '| `BACKUP_KEEP` |', DOCUMENTED);
  expect(await tree.run('vitest', ...TABLE_TEST)).toMatchObject({ code: 0 });
  await tree.add('models/account/grace-time.ts', USE);
  expect(await tree.run('biome', 'ci', 'server/configuration')).toMatchObject({ code: 0 });
  expect(await tree.run('tsc', '-p', '.')).toMatchObject({ code: 0 });
  expect(await tree.run('vite', 'build', '--config', 'server/vite.config.ts')).toMatchObject({ code: 0 });

  const run = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
    outcomeOf(spawnWaybridge(args, settings, tree.path('build/bundle/waybridge.js')));
  expect((await run(['serve', '--help'])).stdout).toMatch(
    /^ {2}GRACE_DAYS +Days for which unpaid accounts stay open \(default: 3\)$/m,
  );
  expect((await run(['config'])).stdout).toMatch(/^GRACE_DAYS +3 +default$/m);
  expect((await run(['config'], { GRACE_DAYS: '5' })).stdout).toMatch(/^GRACE_DAYS +5 +environment$/m);
  expect((await run(['config', '--grace-days', '7'])).stdout).toMatch(/^GRACE_DAYS +7 +option$/m);
  const sentence = 'GRACE_DAYS must be a number of days from 1 to 3650';
  expect(await run(['config'], { GRACE_DAYS: 'some' })).toMatchObject({ code: 1, stderr: `${sentence}\n` });
  const checked = await run(['doctor', '--json'], { GRACE_DAYS: '0' });
  expect([checked.code, checked.stdout + checked.stderr]).toEqual([3, expect.stringContaining(sentence)]);
});
