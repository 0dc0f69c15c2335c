import type { Command } from 'commander';

import { answering, operatorCommand } from './operator-command.ts';

/** `keys rotate` */
export function addKeyCommands(program: Command): void {
  const group = program.command('keys').description('Keys that sign special-purpose tokens');

  operatorCommand(group, 'rotate', {
    summary: 'Sign with a new key from now on; tokens of the old ones stay good',
    example: 'keys rotate',
  }).action(
    answering(async () => {
      const { rotateSigningKeys } = await import('../../auth/signing-keys.ts');
      const { kid, kept } = await rotateSigningKeys();
      return {
        title: 'Signing key replaced',
        json: { kid, kept },
        note: 'The keys in kept verify tokens for two more hours.',
      };
    }, true),
  );
}
