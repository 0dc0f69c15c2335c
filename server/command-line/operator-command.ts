import type { Command } from 'commander';

import type { Config } from '../configuration/config.ts';

import { type Answer, type CommonOptions, printAnswer } from './answer.ts';
import { withDatabase } from './with-database.ts';

/** What the help of a command says beside its options. */
export interface CommandHelp {
  /** One sentence, without a period. */
  readonly summary: string;
  /** A call that works, without the name of the program. */
  readonly example: string;
}

/** Adds a command to a group, with what all commands have: `--json`, and an example in its help. */
export function operatorCommand(group: Command, name: string, { summary, example }: CommandHelp): Command {
  return group
    .command(name)
    .summary(summary)
    .description(summary)
    .option('--json', 'print exactly one JSON object')
    .addHelpText('after', `\nExample:\n  $ waybridge ${example}`);
}

/**
 * Makes the action of a command that works on the database and then prints its answer.
 *
 * @param makesIndexes whether the command may be the first to write into the database
 */
export function answering<Options extends CommonOptions>(
  work: (options: Options, config: Config) => Promise<Answer>,
  makesIndexes = false,
): (options: Options) => Promise<void> {
  return async (options) => {
    const answer = await withDatabase((config) => work(options, config), makesIndexes);
    printAnswer(answer, options);
  };
}
