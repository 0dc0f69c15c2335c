import 'reflect-metadata';

import { tmpdir } from 'node:os';

import { afterAll, inject, vi } from 'vitest';

import './services/remembered-scrypt.ts';

process.env.BROWSER_DIR ??= tmpdir();
process.env.TMPDIR = inject('runFolder');

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
