import { resolve } from 'node:path';

import type { Command } from 'commander';

import { readConfig } from '../../server/configuration/config.ts';
import { databaseFile } from '../../server/database/data-folder.ts';

import { onDatabaseFile } from '../shell/on-database-file.ts';
import { command } from '../shell/operator-command.ts';
import { ProgressBar } from '../shell/progress-bar.ts';
import { withDatabase } from '../shell/with-database.ts';

/** Exit code of a check that found damage. */
const DAMAGED = 3;
const MAX_SHOWN = 20;
const DAMAGE_ADVICE =
  'Documents named above are lost, or are not found by some searches; all others can be read. Stop the service, keep a copy of the file, ' +
  'and run "waybridge restore" with a backup; what was recorded since then is in the copy.';

/** `check`: checks the database for damage, even while the service is running. */
export function addCheckCommand(program: Command): void {
  command(program, 'check', 'Check the database for damage, even while the service is running')
    .example('check --json')
    .addHelpText('after', '\nExit codes: 0 if it is intact, 1 if it cannot be checked, 3 if it is damaged.')
    .prints(async () => {
      const { mongodbUri, dataDir } = readConfig(process.env);
      const bar = new ProgressBar(process.stderr);
      const database = mongodbUri === null ? resolve(databaseFile(dataDir)) : 'MongoDB';
      const findings = mongodbUri === null ? await checkFile(database, bar) : [];
      // References are read through the models, which a damaged file may prevent from opening.
      if (findings.length === 0) findings.push(...(await checkRecords(bar)));
      bar.clear();
      if (findings.length > 0) process.exitCode = DAMAGED;
      const shown = findings.slice(0, MAX_SHOWN).map((finding) => `  ${finding}`);
      if (findings.length > MAX_SHOWN) shown.push(`  and ${findings.length - MAX_SHOWN} more, which --json lists`);
      const isSound = findings.length === 0;
      return {
        title: isSound ? 'The database is intact' : 'The database is damaged',
        json: { database, sound: isSound, findings },
        ...(isSound ? {} : { lines: shown, note: DAMAGE_ADVICE }),
      };
    });
}

async function checkFile(file: string, bar: ProgressBar): Promise<string[]> {
  const { checkEmbeddedDatabase } = await import('../../embedded/check.ts');
  return onDatabaseFile(() =>
    checkEmbeddedDatabase(file, (share, collection) => bar.draw(share / 2, `checking ${collection}`)),
  );
}

async function checkRecords(bar: ProgressBar): Promise<string[]> {
  return withDatabase(async ({ service }) => {
    const { recordFindings } = await import('../../server/database/record-findings.ts');
    return recordFindings(service, (share, collection) =>
      bar.draw(0.5 + share / 2, `checking references of ${collection}`),
    );
  });
}
