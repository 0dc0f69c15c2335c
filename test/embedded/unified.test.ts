import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SERVER_VERSION } from '../../embedded/commands/handshake.ts';
import { type FailingServer, startFailingServer } from './fail-points.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';
import { isEligible, runUnifiedTest } from './unified-runner.ts';
import type { UnifiedFile } from './unified-runner.ts';

const FOLDER = process.env.MONGODB_SPECIFICATIONS;

/** MongoDB's tests of drivers, and how many of the eligible must pass; the others use features that this server does not have. */
const SUITES = [
  { suite: 'crud', min: 320 },
  { suite: 'retryable-writes', min: 111 },
  { suite: 'transactions', min: 167 },
  { suite: 'transactions-convenient-api', min: 28 },
];

const REASON = 'MONGODB_SPECIFICATIONS names no folder: set it to a clone of the repository mongodb/specifications';

describe("MongoDB's own tests of drivers", () => {
  test.skipIf(FOLDER !== undefined)(`are not run: ${REASON}`, (context) => context.skip(REASON));

  describe.runIf(FOLDER !== undefined)('from the folder given', () => {
    let local: LocalServer;
    let failing: FailingServer;

    beforeAll(async () => {
      local = await startLocalServer();
      failing = await startFailingServer(local.socketPath);
    });

    afterAll(async () => {
      await failing.close();
      await local.close();
    });

    test.each(SUITES)(
      'of $suite pass, at least $min of those meant for this version',
      { timeout: 600_000 },
      async ({ suite, min }) => {
        const folder = join(FOLDER ?? '', 'source', suite, 'tests/unified');
        const failures: string[] = [];
        let passed = 0;
        for (const name of readdirSync(folder)
          .filter((file) => file.endsWith('.json'))
          .sort()) {
          const file = mongo.BSON.EJSON.parse(readFileSync(join(folder, name), 'utf8')) as UnifiedFile;
          for (const unified of file.tests) {
            if (unified.skipReason || !isEligible(SERVER_VERSION, file.runOnRequirements, unified.runOnRequirements))
              continue;
            await runUnifiedTest(failing.uri, file, unified).then(
              () => (passed += 1),
              (error) => failures.push(`${name}: ${unified.description}: ${error.message}`),
            );
          }
        }
        console.info([`${passed} of ${passed + failures.length} passed`, ...failures].join('\n'));
        expect(passed).toBeGreaterThanOrEqual(min);
      },
    );
  });
});
