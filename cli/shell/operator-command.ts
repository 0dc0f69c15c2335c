import { Command, Option, type ParseOptionsResult } from 'commander';
import { type Answer, type CommonOptions, printAnswer } from './answer.ts';
import { type OpenedService, withDatabase } from './with-database.ts';

/** A key that begins with a hyphen: base64url of 128 bits, or of the 256 of a grant. */
const HYPHEN_KEY = /^-(?:[\w-]{21}|[\w-]{42})$/;

/** Words of a call, of which none that is an argument looks like an option. */
interface SeparatedWords {
  /** Keys that are arguments of the command. */
  readonly keys: string[];
  readonly words: string[];
}

/** Treats keys that begin with a hyphen as values of options, or as arguments of the command. */
function separateHyphenKeys(args: readonly string[], options: readonly Option[]): SeparatedWords {
  const separated: SeparatedWords = { keys: [], words: [] };
  let open: Option | undefined;
  let isFirst = false;
  for (const word of args) {
    const option = options.find(({ long }) => long === word);
    const isKey = option === undefined && HYPHEN_KEY.test(word);
    if (!isKey || (open && isFirst)) separated.words.push(word);
    else if (open) separated.words.push(open.long ?? '', word);
    else separated.keys.push(word);
    if (option) open = option.required ? option : undefined;
    else if (!open?.variadic) open = undefined;
    isFirst = option !== undefined;
  }
  return separated;
}

/** Texts that a command is given as options, by name. */
export type Texts<Required extends string, Optional extends string = never> = {
  readonly [Name in Required]: string;
} & { readonly [Name in Optional]?: string };

/** Options of a command that have no value, by name. */
export type Flags<Name extends string> = { readonly [Flag in Name]?: true };

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

  /** Reads options and arguments; a key may begin with a hyphen. */
  override parseOptions(args: string[]): ParseOptionsResult {
    const { keys, words } = separateHyphenKeys(args, this.options);
    const { operands, unknown } = super.parseOptions(words);
    return { operands: [...keys, ...operands], unknown };
  }

  /**
   * Sets an action on the database, and prints its answer.
   *
   * @param work is given the options, the service, and the command's argument: the key of a record
   * @param makesIndexes true if it may be the first to write
   */
  answers<Options>(
    work: (options: Options, opened: OpenedService, key: string) => Promise<Answer>,
    makesIndexes = false,
  ): this {
    return this.prints<Options>((options, key) => withDatabase((opened) => work(options, opened, key), makesIndexes));
  }

  /** Sets an action without the database, which is given the options and the command's argument, and prints its answer. */
  prints<Options>(work: (options: Options, argument: string) => Promise<Answer>): this {
    return this.action(async () => {
      const options = this.opts<Options & CommonOptions>();
      const [argument = ''] = this.args;
      printAnswer(await work(options, argument), options);
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
  group.addCommand(added);
  return added
    .addOption(new Option('--json', 'print exactly one JSON object').conflicts('quiet'))
    .option('--quiet', 'print only keys, and nothing after a change');
}
