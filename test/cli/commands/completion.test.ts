import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { completionScript, type Shell, SHELLS } from '../../../cli/shell/completion.ts';
import { createProgram } from '../../../cli/program.ts';
import { runCommand } from '../../processes/run-command.ts';

/** Programs that ask a script for the candidates of calls, one call a line, as the shell itself does. */
const ASK: Readonly<Record<Shell, (script: string, calls: readonly string[]) => readonly string[]>> = {
  bash: (script, calls) => [
    '-c',
    `${script}\n${calls
      .map((call) => {
        const words = call.split(' ');
        const list = words.map((word) => `'${word}'`).join(' ');
        return `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _waybridge; echo "\${COMPREPLY[*]}"`;
      })
      .join('\n')}`,
  ],
  // Outside of its line editor, zsh completes nothing: what would filter and show the candidates prints them.
  zsh: (script, calls) => [
    '-f',
    '-c',
    `compdef() { : }\n_describe() { print -r -- \${(j: :)\${(M)\${entries%%:*}:#$words[CURRENT]*}} }\n${script}\n${calls
      .map((call) => {
        const words = call.split(' ');
        const list = words.map((word) => `'${word}'`).join(' ');
        return `ask() { local -a words=(${list}); local CURRENT=${words.length}; _waybridge }; ask`;
      })
      .join('\n')}`,
  ],
  fish: (script, calls) => [
    '-N',
    '-c',
    `${script}\n${calls.map((call) => `echo (complete -C '${call}' | string split -f1 \\t)`).join('\n')}`,
  ],
};

const CASES: readonly (readonly [call: string, candidates: readonly string[]])[] = [
  ['waybridge veh', ['vehicle']],
  ['waybridge grant ', ['list', 'show', 'remove', '--help']],
  ['waybridge vehicle update KEY --plate', ['--plate-number']],
  ['waybridge tag add --account KEY --type ', ['Car', 'Trip', 'User']],
  ['waybridge user --json upd', ['update']],
  ['waybridge completion f', ['fish']],
];

test.for(SHELLS)(
  '%s completes commands, options and values (skipped where there is no such shell)',
  (shell, { skip }) => {
    const script = completionScript(createProgram(), shell);
    const args = ASK[shell](
      script,
      CASES.map(([call]) => call),
    );
    let output: string;
    try {
      output = execFileSync(shell, args, { encoding: 'utf8' });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') skip();
      throw error;
    }
    const found = output
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').toSorted());
    expect(found).toEqual(CASES.map(([, candidates]) => candidates.toSorted()));
  },
);

test.each(SHELLS)('completion %s prints its script', async (shell) => {
  const { code, stdout } = await runCommand(['completion', shell], {});
  expect([code, stdout]).toEqual([0, completionScript(createProgram(), shell)]);
});

test('another shell is wrong usage, and names those that there are', async () => {
  expect(await runCommand(['completion', 'tcsh'], {})).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Allowed choices are bash, zsh, fish'),
  });
});
