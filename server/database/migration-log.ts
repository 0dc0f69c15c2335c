import type { FastifyBaseLogger } from 'fastify';

import type { MigrationProgress } from '../../models/migrations/run-migrations.ts';

/** Minimum time between two lines on the same migration, in milliseconds. */
const EVERY_MS = 5000;

/** Makes a listener that logs the progress of migrations: when one begins, and every few seconds. */
export function logMigrations(log: FastifyBaseLogger): (progress: MigrationProgress) => void {
  let shown = '';
  let shownAt = 0;
  return (progress) => {
    const title = migrationTitle(progress);
    if (title === shown && Date.now() - shownAt < EVERY_MS) return;
    shown = title;
    shownAt = Date.now();
    log.info(`${title}: ${progress.changed} of ${progress.total} changed`);
  };
}

/** The position and title of a migration, for people. */
export function migrationTitle({ number, last, name, isElsewhere }: MigrationProgress): string {
  const title = `migration ${number} of ${last} (${name})`;
  return isElsewhere ? `waiting for another process: ${title}` : title;
}
