import type { Command } from 'commander';

import { command, type Flags } from '../shell/operator-command.ts';

/** `keys rotate` */
export function addKeyCommands(program: Command): void {
  const group = program.command('keys').description('Keys that sign special-purpose tokens');

  command(group, 'rotate', 'Replace the signing key; tokens signed with previous keys stay valid')
    .example('keys rotate')
    .option('--immediately', 'reject all tokens signed with previous keys, for example if a key has leaked')
    .answers(async ({ immediately }: Flags<'immediately'>, { service }) => {
      const { rotateSigningKeys } = await import('../../auth/signing-keys.ts');
      const { kid, stillValid } = await rotateSigningKeys(service, new Date(), immediately === true);
      return {
        title: 'Signing key replaced',
        json: { kid, kept: stillValid },
        note: immediately
          ? 'Tokens signed with the old keys are rejected. Maps recover once their pages have requested new tokens.'
          : 'Tokens signed with the keys listed under kept stay valid for up to two hours.',
      };
    }, true);
}
