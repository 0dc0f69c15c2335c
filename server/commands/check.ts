import { resolve } from 'node:path';

import type { Command } from 'commander';

import { readConfig } from '../configuration/config.ts';
import { databaseFile } from '../database/data-folder.ts';

import { type CommonOptions, printAnswer } from '../command-line/answer.ts';
import { operatorCommand } from '../command-line/operator-command.ts';
import { ProgressBar } from '../command-line/progress-bar.ts';
import { withDatabase } from '../command-line/with-database.ts';

/** Exit code of a check that found damage. */
const DAMAGED = 3;
const MAX_SHOWN = 20;

/** `check`: whether the database is sound, also while the service runs. */
export function addCheckCommand(program: Command): void {
  operatorCommand(program, 'check', {
    summary: 'Check that the database is sound, also while the service runs',
    example: 'check --json',
  })
    .addHelpText('after', '\nExit codes: 0 where it is sound, 1 where it cannot be checked, 3 where it is damaged.')
    .action(async (options: CommonOptions) => {
      const { mongodbUri, dataDir } = readConfig(process.env);
      const bar = new ProgressBar(process.stderr);
      const database = mongodbUri === null ? resolve(databaseFile(dataDir)) : 'MongoDB';
      const findings = mongodbUri === null ? await checkFile(database, bar) : [];
      // What refers to what is read by the models, which a damaged file may keep from opening.
      if (findings.length === 0) findings.push(...(await checkRecords(bar)));
      bar.clear();
      if (findings.length > 0) process.exitCode = DAMAGED;
      const shown = findings.slice(0, MAX_SHOWN).map((finding) => `  ${finding}`);
      if (findings.length > MAX_SHOWN) shown.push(`  and ${findings.length - MAX_SHOWN} more, which --json lists`);
      const isSound = findings.length === 0;
      printAnswer(
        {
          title: isSound ? 'The database is sound' : 'The database is damaged',
          json: { database, sound: isSound, findings },
          ...(isSound
            ? {}
            : { lines: shown, note: 'To bring back a backup, stop the service and use "waybridge restore".' }),
        },
        options,
      );
    });
}

async function checkFile(file: string, bar: ProgressBar): Promise<string[]> {
  const { checkEmbeddedDatabase } = await import('../../embedded/check.ts');
  return checkEmbeddedDatabase(file, (share, collection) => bar.draw(share / 2, `checking ${collection}`));
}

async function checkRecords(bar: ProgressBar): Promise<string[]> {
  return withDatabase(async () => {
    const { recordFindings } = await import('../database/record-findings.ts');
    return recordFindings((share, collection) => bar.draw(0.5 + share / 2, `checking references of ${collection}`));
  });
}
