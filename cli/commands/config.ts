import type { Command } from 'commander';

import { readConfig, SETTINGS, defaultIn } from '../../server/configuration/config.ts';
import { type Environment, givenSetting } from '../../server/configuration/given-setting.ts';
import type { Setting } from '../../server/configuration/setting.ts';

import { command } from '../shell/operator-command.ts';
import { settingsGivenAsOptions } from '../shell/setting-options.ts';

/** `config`: prints the effective settings, and where each comes from. */
export function addConfigCommand(program: Command): void {
  command(program, 'config', 'Print the effective settings and where each comes from, without secrets')
    .example('config --json')
    .prints(async () => {
      readConfig(process.env);
      const given = settingsGivenAsOptions(program);
      const settings = Object.values(SETTINGS).map((setting) => shown(setting, process.env, given));
      const rows = settings.map(({ name, value, source }) => [
        name,
        value ?? (source === null ? '' : '(secret)'),
        source ?? 'not set',
      ]);
      return { title: 'Settings', json: { settings }, table: { columns: ['setting', 'value', 'source'], rows } };
    });
}

/** A setting as `config` shows it; the value of a secret is null. */
function shown(setting: Setting<unknown>, env: Environment, options: Environment) {
  const { name, isSecret } = setting;
  const given = givenSetting(setting, env);
  if (given === null) return { name, value: null, source: null };
  const source = name in options ? 'option' : given.source;
  return { name, value: isSecret ? null : defaultIn(given.text, env), source };
}
