import type { Command } from 'commander';

import type { Config } from '../configuration/config.ts';

import { type Answer, type CommonOptions, printAnswer } from './answer.ts';
import { withDatabase } from './with-database.ts';

/** Help of a command, besides its options. */
export interface CommandHelp {
  /** One sentence, without a period. */
  readonly summary: string;
  /** A call that works, without the name of the program. */
  readonly example: string;
}

/** Texts that a command is given as options, by name. */
export type Texts<Required extends string, Optional extends string = never> = {
  readonly [Name in Required]: string;
} & { readonly [Name in Optional]?: string };

/** Adds a command to a group, with the parts that all commands have: `--json`, and an example in its help. */
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
 * @param makesIndexes true where the command may be the first to write into the database
 */
export function answering<Options>(
  work: (options: Options, config: Config) => Promise<Answer>,
  makesIndexes = false,
): (options: Options & CommonOptions) => Promise<void> {
  return async (options) => {
    const answer = await withDatabase((config) => work(options, config), makesIndexes);
    printAnswer(answer, options);
  };
}
