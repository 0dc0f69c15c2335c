import type { mongo } from 'mongoose';

import { MIGRATIONS } from './versions/all-migrations.ts';
import { newestVersion, readDataVersion } from './data-version.ts';
import type { Migration } from './versions/migration.ts';

/** State of one migration. `interrupted` continues at the next start. */
export type MigrationState = 'done' | 'running' | 'interrupted' | 'pending';

/** State of the data and of each migration. Dates are `null` if nothing has begun or finished. */
export interface MigrationStatus {
  readonly data_version: number;
  readonly program_version: number;
  readonly least_reader: number;
  readonly migrations: readonly {
    readonly number: number;
    readonly name: string;
    readonly description: string;
    readonly state: MigrationState;
    readonly started: Date | null;
    readonly finished: Date | null;
    readonly changed: number;
    /** Documents that it would change in the current data; null unless counted. */
    readonly pending: number | null;
  }[];
}

/** Reads the state of the data. It writes nothing. */
export async function readMigrationStatus(
  db: mongo.Db,
  {
    migrations = MIGRATIONS,
    counts = false,
  }: { readonly migrations?: readonly Migration[]; readonly counts?: boolean },
): Promise<MigrationStatus> {
  const { version, least_reader, running, lease, applied } = await readDataVersion(db, migrations);
  const isRunning = lease !== null && lease.expires > new Date();
  const rows: MigrationStatus['migrations'][number][] = [];
  for (const { number, name, description, ...migration } of migrations) {
    const known = applied.find((entry) => entry.number === number);
    const begun = running?.number === number ? running : null;
    const isDone = number <= version;
    rows.push({
      number,
      name,
      description,
      state: isDone ? 'done' : begun === null ? 'pending' : isRunning ? 'running' : 'interrupted',
      started: known?.started ?? begun?.started ?? null,
      finished: known?.finished ?? null,
      changed: known?.changed ?? begun?.changed ?? 0,
      pending: counts && !isDone ? await migration.pending(db) : null,
    });
  }
  return { data_version: version, program_version: newestVersion(migrations), least_reader, migrations: rows };
}
