import type { Command } from 'commander';

import type { MigrationStatus } from '../../models/migrations/migration-status.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';

import type { Answer } from '../shell/answer.ts';
import { command, type Flags } from '../shell/operator-command.ts';
import { ProgressBar } from '../shell/progress-bar.ts';
import { UsageError } from '../shell/command-error.ts';
import { withDatabase } from '../shell/with-database.ts';
import type { Service } from '../../models/store/service.ts';

/** `migrate` */
export function addMigrateCommand(program: Command): void {
  command(program, 'migrate', 'Upgrade the data of an older version to this one, as the service does when it starts')
    .example('migrate --dry-run')
    .option('--status', 'change nothing: list the migrations, and the indexes that this version does not use')
    .option('--dry-run', 'change nothing: count the documents that each pending migration would change')
    .prints(async ({ status, dryRun }: Flags<'status' | 'dryRun'>) => {
      if (status && dryRun) throw new UsageError('Give either --status or --dry-run');
      return status || dryRun ? showStatus(dryRun === true) : migrate();
    });
}

async function showStatus(counts: boolean): Promise<Answer> {
  return withDatabase(async ({ service }) => answerOf(await readStatus(service, counts)), false, {
    migrations: 'ignore',
  });
}

async function migrate(): Promise<Answer> {
  const { migrationTitle } = await import('../../server/database/migration-log.ts');
  const bar = new ProgressBar(process.stderr);
  try {
    return await withDatabase(async ({ service }) => answerOf(await readStatus(service, false)), true, {
      migrations: 'run',
      onProgress: (progress) => {
        const { changed, total } = progress;
        bar.draw(total === 0 ? 1 : changed / total, `${migrationTitle(progress)}, ${changed} of ${total}`);
      },
    });
  } finally {
    bar.clear();
  }
}

async function readStatus(service: Service, counts: boolean) {
  const { readMigrationStatus } = await import('../../models/migrations/migration-status.ts');
  const { driverOf } = await import('../../server/database/database.ts');
  const { undeclaredIndexes } = await import('../../server/database/indexes.ts');
  const status = await readMigrationStatus(driverOf(service), { counts });
  return { ...status, undeclared_indexes: await undeclaredIndexes(service) };
}

function answerOf(status: MigrationStatus & { readonly undeclared_indexes: readonly string[] }): Answer {
  const { data_version, program_version, least_reader, migrations, undeclared_indexes } = status;
  const lines = migrations.map(
    ({ number, name, state, description, pending }) =>
      `  ${number}  ${name}  ${state}${pending === null ? '' : `, would change ${pending}`}: ${description}`,
  );
  return {
    title: `The data has version ${data_version}, this program ${program_version}`,
    json: {
      data_version,
      program_version,
      least_reader,
      migrations: migrations.map((migration) => ({
        ...migration,
        started: migration.started && formatOffsetDateTime(migration.started),
        finished: migration.finished && formatOffsetDateTime(migration.finished),
      })),
      undeclared_indexes,
    },
    lines,
    ...(undeclared_indexes.length > 0 && {
      note: `Indexes that this version does not use, which are kept until you drop them: ${undeclared_indexes.join(', ')}`,
    }),
  };
}
