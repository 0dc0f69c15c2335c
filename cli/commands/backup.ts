import { resolve } from 'node:path';

import type { Command } from 'commander';

import { readConfig } from '../../server/configuration/config.ts';
import { databaseFile, makeDataFolder } from '../../server/database/data-folder.ts';

import { CommandError } from '../shell/command-error.ts';
import { onDatabaseFile } from '../shell/on-database-file.ts';
import { command } from '../shell/operator-command.ts';

/** `backup` and `restore`: the file of the embedded database, which they work on without a server. */
export function addBackupCommands(program: Command): void {
  command(
    program,
    'backup',
    'Copy the embedded database to a new file and check the copy, even while the service is running',
  )
    .example('backup waybridge-monday.db')
    .argument('<file>', 'file to create; an existing file is not overwritten')
    .prints(async (_options, to) => {
      const { backupEmbeddedDatabase } = await import('../../embedded/backup.ts');
      const file = resolve(databaseFile(embeddedDataDir()));
      await onDatabaseFile(() => backupEmbeddedDatabase(file, to));
      return { title: 'Database copied', json: { database: file, backup: resolve(to) } };
    });

  command(program, 'restore', 'Replace the embedded database with a backup; stop the service first')
    .example('restore waybridge-monday.db')
    .argument('<file>', 'backup to restore; the file itself is not changed')
    .prints(async (_options, from) => {
      const { restoreEmbeddedDatabase } = await import('../../embedded/backup.ts');
      const dataDir = embeddedDataDir();
      const file = resolve(databaseFile(dataDir));
      await makeDataFolder(dataDir);
      await onDatabaseFile(() => restoreEmbeddedDatabase(from, file));
      return { title: 'Database restored', json: { database: file, backup: resolve(from) } };
    });
}

/** The data folder of the embedded database; fails if the data is in MongoDB, which has its own tools for this. */
function embeddedDataDir(): string {
  const { mongodbUri, dataDir } = readConfig(process.env);
  if (mongodbUri !== null)
    throw new CommandError(
      'MONGODB_URI is set, so the data is in MongoDB: use mongodump and mongorestore, or unset it for the embedded database',
    );
  return dataDir;
}
