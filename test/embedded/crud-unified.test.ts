import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { mongo } from 'mongoose';
import { describe, expect, test } from 'vitest';

import { SERVER_VERSION } from '../../embedded/commands/handshake.ts';
import { useEmbeddedDatabase } from './embedded-connection.ts';
import { isEligible, needsFailPoint, runUnifiedTest } from './unified-runner.ts';
import type { UnifiedFile } from './unified-runner.ts';

const FOLDER = process.env.CRUD_UNIFIED_TESTS;

/** Number of eligible tests that must pass; the others use features that this server does not have. */
const LEAST = 306;

const REASON =
  'CRUD_UNIFIED_TESTS names no folder: set it to source/crud/tests/unified of the repository mongodb/specifications';

describe("MongoDB's own CRUD tests", () => {
  test.skipIf(FOLDER !== undefined)(`are not run: ${REASON}`, (context) => context.skip(REASON));

  describe.runIf(FOLDER !== undefined)('from the folder given', () => {
    const database = useEmbeddedDatabase();

    test(`pass, at least ${LEAST} of those meant for this version`, { timeout: 60_000 }, async () => {
      const failures: string[] = [];
      let passed = 0;
      for (const name of readdirSync(FOLDER ?? '')
        .filter((file) => file.endsWith('.json'))
        .sort()) {
        const file = mongo.BSON.EJSON.parse(readFileSync(join(FOLDER ?? '', name), 'utf8')) as UnifiedFile;
        for (const unified of file.tests) {
          if (
            unified.skipReason ||
            needsFailPoint(unified) ||
            !isEligible(SERVER_VERSION, file.runOnRequirements, unified.runOnRequirements)
          )
            continue;
          await runUnifiedTest(database.embedded.uri, file, unified).then(
            () => (passed += 1),
            (error) => failures.push(`${name}: ${unified.description}: ${error.message}`),
          );
        }
      }
      console.info([`${passed} of ${passed + failures.length} passed`, ...failures].join('\n'));
      expect(passed).toBeGreaterThanOrEqual(LEAST);
    });
  });
});
