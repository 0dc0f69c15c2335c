import { beforeEach } from 'vitest';

import { type Capability, missingCapabilities } from '../../server/database/capabilities.ts';
import { driverOf } from '../../server/database/database.ts';
import { testService } from './database.ts';

/** Capabilities that the server of `MONGODB_URI` lacks, probed once a process. */
let missing: Promise<readonly Capability[]> | undefined;

/** Skips the tests of a file or of a `describe` if the server of `MONGODB_URI` lacks a capability that they need. */
export function needsCapabilities(...names: readonly string[]): void {
  beforeEach(async ({ skip }) => {
    if (!process.env.MONGODB_URI) return;
    missing ??= missingCapabilities(driverOf(testService));
    const lacking = (await missing).find(({ name }) => names.includes(name));
    skip(lacking !== undefined, `the engine lacks ${lacking?.name}`);
  });
}
