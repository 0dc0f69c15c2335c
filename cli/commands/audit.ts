import type { Command } from 'commander';

import { formatOffsetDateTime } from '../../schema/date-time.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import type { SecurityEventQuery } from '../../resolvers/users/security-event-resolver.ts';
import type { SecurityEvent } from '../../schema/account/security-event.ts';

import { command, type Texts } from '../shell/operator-command.ts';
import { listAnswer, readNumber } from '../shell/resource.ts';

type ListOptions = Texts<never, 'account' | 'user' | 'after'> & { readonly first: number };

const COLUMNS = ['time', 'kind', 'actor', 'count', 'user_key', 'subject', 'network', 'browser'];

/** `audit list` */
export function addAuditCommands(program: Command): void {
  const group = program.command('audit').description('The security log: sign-ins, passwords, keys, applications');

  command(group, 'list', 'List security events, newest first')
    .example('audit list --account KEY --first 20')
    .option('--account <key>', 'only events of this account (default: all events)')
    .option('--user <key>', 'only events about this user')
    .option('--first <number>', 'maximum number of events, 1 to 1000', readNumber, 50)
    .option('--after <cursor>', 'end_cursor of the previous page')
    .answers(async ({ account, user, first, after }: ListOptions, { service }) => {
      const { existingAccountScope } = await import('../../models/lookup/any-record.ts');
      const { listSecurityEvents } = await import('../../resolvers/users/security-event-resolver.ts');
      const accessScope: SecurityEventQuery['accessScope'] =
        account === undefined ? unrestricted(service) : await existingAccountScope(service, account);
      const { nodes, page_info } = await listSecurityEvents({ accessScope, first, after, user_key: user });
      return listAnswer({ nodes: nodes.map(eventOf), page_info }, { columns: COLUMNS });
    });
}

function eventOf({ key, kind, time, count, actor, user_key, subject, network, browser }: SecurityEvent) {
  return { key, kind, time: formatOffsetDateTime(time), count, actor, user_key, subject, network, browser };
}
