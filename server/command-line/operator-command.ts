import { Command } from 'commander';

import type { Config } from '../configuration/config.ts';

import { type Answer, type CommonOptions, printAnswer } from './answer.ts';
import { withDatabase } from './with-database.ts';

/** Texts that a command is given as options, by name. */
export type Texts<Required extends string, Optional extends string = never> = {
  readonly [Name in Required]: string;
} & { readonly [Name in Optional]?: string };

/** A command with the parts that all have: an example in its help, and an answer that `--json` prints as one object. */
export class OperatorCommand extends Command {
  /**
   * Adds an example to the help.
   *
   * @param call a call that works, without the name of the program
   */
  example(call: string): this {
    return this.addHelpText('after', `\nExample:\n  $ waybridge ${call}`);
  }

  /**
   * Sets an action on the database, and prints its answer.
   *
   * @param makesIndexes true if it may be the first to write
   */
  answers<Options>(work: (options: Options, config: Config) => Promise<Answer>, makesIndexes = false): this {
    return this.action(async (options: Options & CommonOptions) => {
      printAnswer(await withDatabase((config) => work(options, config), makesIndexes), options);
    });
  }
}

/**
 * Adds a command to a group.
 *
 * @param summary one sentence, without a period
 */
export function command(group: Command, name: string, summary: string): OperatorCommand {
  const added = new OperatorCommand(name).copyInheritedSettings(group).summary(summary).description(summary);
  group.addCommand(added.option('--json', 'print exactly one JSON object'));
  return added;
}
