import type { Command } from 'commander';

import { command } from '../shell/operator-command.ts';
import { listAnswer, readNumber } from '../shell/resource.ts';

const DAY_MS = 86_400_000;

/** `usage` */
export function addUsageCommand(program: Command): void {
  command(program, 'usage', 'What clients have used: fields, arguments, REST paths, trusted documents')
    .example('usage Vehicle.odometer')
    .argument(
      '[name]',
      'list who has used it: `Vehicle.odometer`, `Query.vehicles(first:)`, "GET /devices", "document Fleet"',
    )
    .option('--days <number>', 'only what was used in so many days', readNumber, 90)
    .answers(async ({ days }: { readonly days: number }, { service }, name) => {
      const { usersOf, usedNames } = await import('../../auth/usage/read-usage.ts');
      const since = new Date(Date.now() - days * DAY_MS);
      if (name === '') {
        return listAnswer(
          { nodes: await usedNames(service, since) },
          { key: 'name', columns: ['name', 'last_day', 'count'] },
        );
      }
      return listAnswer(
        { nodes: await usersOf(service, name, since) },
        { key: 'caller', columns: ['account_key', 'caller', 'client', 'last_day', 'count'] },
      );
    });
}
