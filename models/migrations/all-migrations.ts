import type { Migration } from './migration.ts';

/** Every migration, in order. A line is added and never changed: databases out there have run it. */
export const MIGRATIONS: readonly Migration[] = [];
