import { type Command, Option } from 'commander';

import { SETTINGS } from '../../server/configuration/config.ts';
import type { Setting } from '../../server/configuration/setting.ts';

const OPTIONS = Object.values<Setting<unknown>>(SETTINGS)
  .filter(({ isSecret }) => !isSecret)
  .map(({ name, help, isFlag }) => ({
    name,
    option: new Option(optionName(name) + (isFlag ? '' : ' <value>'), help).hideHelp(),
  }));

/** Name of the option for a setting: `--data-dir` for `DATA_DIR`. */
export function optionName(name: string): string {
  return `--${name.toLowerCase().replaceAll('_', '-')}`;
}

/**
 * Gives every command of a program an option for each setting but secrets, which other users of a machine would read in
 * its list of processes. An option stands for its variable, for which it is stored before the command is executed.
 */
export function addSettingOptions(program: Command): void {
  for (const { option } of OPTIONS) program.addOption(option);
  program.hook('preAction', () => {
    Object.assign(process.env, settingsGivenAsOptions(program));
  });
}

/** Settings that were given as options, by the names of their variables. */
export function settingsGivenAsOptions(program: Command): Readonly<Record<string, string>> {
  const given = OPTIONS.map(({ name, option }) => [name, program.getOptionValue(option.attributeName())] as const);
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}
