import { relative } from 'node:path';

import type { Command } from 'commander';

import { readConfig } from '../../server/configuration/config.ts';
import type { DataPlace, OpenData } from '../move/data-place.ts';
import type { MovedCollection } from '../move/move-data.ts';

import type { Answer } from '../shell/answer.ts';
import { command, type Flags, type Texts } from '../shell/operator-command.ts';
import { ProgressBar } from '../shell/progress-bar.ts';
import { secretFromStdin } from '../shell/secret-stdin.ts';
import { UsageError } from '../shell/command-error.ts';

/** `move`: between the embedded database and MongoDB, in both directions. */
export function addMoveCommand(program: Command): void {
  command(program, 'move', 'Copy all data to another database and compare it; stop the service first')
    .example('move --to mongodb://db1.example.com,db2.example.com/waybridge?replicaSet=rs0')
    .option('--to <address>', 'an empty database of MongoDB, or a data folder for the embedded database')
    .option('--to-stdin', 'read the address from standard input, if it contains a password')
    .addHelpText(
      'after',
      '\nCopies the data of MONGODB_URI or, without it, of DATA_DIR; the source is not changed. Repeat an interrupted move to ' +
        'resume it. Then start the service with MONGODB_URI, or without it, to use the copy.',
    )
    .prints(async ({ to, toStdin }: Texts<never, 'to'> & Flags<'toStdin'>) => {
      if ((to === undefined) !== (toStdin === true)) throw new UsageError('Give either --to or --to-stdin');
      return move(to ?? (await secretFromStdin('--to-stdin')));
    });
}

async function move(address: string): Promise<Answer> {
  const { mongodbUri, dataDir } = readConfig(process.env);
  const { dataPlace, openData } = await import('../move/data-place.ts');
  const source: DataPlace = mongodbUri === null ? { dataDir } : { uri: mongodbUri };
  const target = dataPlace(address);
  requireOther(source, target);
  const from = await openData(source);
  try {
    const to = await openData(target);
    try {
      return await moveBetween(from, to);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

function requireOther(source: DataPlace, target: DataPlace): void {
  const isSame =
    'uri' in source
      ? 'uri' in target && source.uri === target.uri
      : 'dataDir' in target && relative(source.dataDir, target.dataDir) === '';
  if (isSame) throw new UsageError('--to is where the data is; give another place');
}

async function moveBetween(from: OpenData, to: OpenData): Promise<Answer> {
  const { moveData } = await import('../move/move-data.ts');
  const bar = new ProgressBar(process.stderr);
  try {
    const onProgress = (collection: string, copied: number) => bar.draw(0, `${collection}, ${copied} copied`);
    return answerOf(from, to, await moveData(from, to, { onProgress }));
  } finally {
    bar.clear();
  }
}

function answerOf(from: OpenData, to: OpenData, collections: readonly MovedCollection[]): Answer {
  return {
    title: 'All data moved',
    json: { from: from.description, to: to.description, collections },
    table: {
      columns: ['collection', 'documents', 'copied', 'sha256'],
      rows: collections.map(({ name, documents, copied, sha256 }) => [
        name,
        String(documents),
        String(copied),
        sha256.slice(0, 16),
      ]),
    },
    note: `All data of ${from.description} has been copied to ${to.description} and is equal.`,
  };
}
