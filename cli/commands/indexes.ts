import type { Command } from 'commander';

import { readConfig } from '../../server/configuration/config.ts';

import { command } from '../shell/operator-command.ts';

/** `indexes`: commands for mongosh. */
export function addIndexesCommand(program: Command): void {
  command(program, 'indexes', 'Print the commands that shard the collections of a MongoDB cluster, for mongosh')
    .example('indexes --sharded --print > shard.js')
    .requiredOption('--sharded', 'shard the collections that grow with the distance driven')
    .requiredOption('--print', 'print the commands; nothing is changed, and no database is needed')
    .prints(async () => {
      const { databaseName } = await import('../../server/database/database.ts');
      const { shardCommands } = await import('../../server/database/shard-commands.ts');
      const commands = shardCommands(databaseName(readConfig(process.env).mongodbUri ?? ''));
      const [title = '', ...lines] = commands;
      return { title, lines, json: { commands } };
    });
}
