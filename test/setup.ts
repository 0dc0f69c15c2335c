import 'reflect-metadata';

import { tmpdir } from 'node:os';

import fc from 'fast-check';
import { afterAll, inject, vi } from 'vitest';

import './services/remembered-scrypt.ts';

process.env.BROWSER_DIR ??= tmpdir();
process.env.TMPDIR = inject('runFolder');
// Generated cases are the same in each `npm test`, and others in each `npm run test:full`.
if (!inject('isFullRun')) fc.configureGlobal({ seed: 1 });

const environment = { ...process.env };

/** A file leaves the process that it shares with others as it found it. */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
