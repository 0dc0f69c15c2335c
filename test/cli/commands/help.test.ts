import type { Command } from 'commander';
import { expect, test } from 'vitest';

import { createProgram } from '../../../cli/program.ts';
import { leavesOf } from '../../processes/command-leaves.ts';
import { SETTINGS } from '../../../server/configuration/config.ts';

const commands = leavesOf(createProgram());

test.each(commands)('%s explains itself, every option, and shows an example that names it', (name, command) => {
  const help = helpOf(command);
  expect(command.description()).not.toBe('');
  for (const option of command.options) expect(option.description, option.flags).not.toBe('');
  for (const argument of command.registeredArguments) expect(argument.description, argument.name()).not.toBe('');
  expect(help).toMatch(new RegExp(`Example:\\n  \\$ .*waybridge ${name}`));
});

test.each(commands.slice(1))(
  'the example of %s gives what is required, and no option that there is not',
  (_, command) => {
    const example = /Example:\n(.*)/.exec(helpOf(command))?.[1] ?? '';
    const given = example.match(/--[\w-]+/g) ?? [];
    for (const option of command.options) {
      if (option.mandatory) expect(given).toContain(option.long);
    }
    for (const flag of given) expect(command.options.map(({ long }) => long)).toContain(flag);
  },
);

test('serve lists every setting with its default', () => {
  const serve = commands.find(([name]) => name === 'serve')?.[1];
  if (!serve) throw new Error('There is no serve');
  const help = helpOf(serve);
  for (const { name, fallback } of Object.values(SETTINGS)) {
    expect(help).toMatch(new RegExp(`^  ${name} .*${fallback ? `default: ${literal(fallback)}` : ''}`, 'm'));
  }
});

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
