import type { Command } from 'commander';

import { formatOffsetDateTime } from '../../schema/date-time.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';
import type { SecurityEventQuery } from '../../resolvers/security/list-security-events.ts';
import type { SecurityEvent } from '../../schema/account/security-event.ts';

import { command, type Texts } from '../command-line/operator-command.ts';
import { UsageError } from '../command-line/usage-error.ts';

interface ListOptions extends Texts<never, 'account' | 'user' | 'after'> {
  readonly limit: number;
}

/** `audit list` */
export function addAuditCommands(program: Command): void {
  const group = program.command('audit').description('The security log: sign-ins, passwords, keys, applications');

  command(group, 'list', 'List security events, newest first')
    .example('audit list --account KEY --limit 20 --json')
    .option('--account <key>', 'only events of this account (default: all events)')
    .option('--user <key>', 'only events that concern this user')
    .option('--limit <number>', 'maximum number of events, 1 to 1000', limitOf, 50)
    .option('--after <cursor>', 'next_cursor of the previous list')
    .answers(async ({ account, user, limit, after }: ListOptions) => {
      const { existingAccountScope } = await import('../../resolvers/input/any-record.ts');
      const { listSecurityEvents } = await import('../../resolvers/security/list-security-events.ts');
      const accessScope: SecurityEventQuery['accessScope'] =
        account === undefined ? UNRESTRICTED : await existingAccountScope(account);
      const { nodes, page_info } = await listSecurityEvents({ accessScope, first: limit, after, user_key: user });
      const events = nodes.map(eventOf);
      const { end_cursor: next_cursor } = page_info;
      return {
        title: `Security events: ${events.length}`,
        json: { events, next_cursor },
        lines: events.map(lineOf),
        ...(next_cursor !== null && { note: `There are more events: continue with --after ${next_cursor}` }),
      };
    });
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > 1000) throw new UsageError('--limit must be 1 to 1000');
  return limit;
}

function eventOf({ key, kind, time, count, actor, user_key, subject, network, browser }: SecurityEvent) {
  return { key, kind, time: formatOffsetDateTime(time), count, actor, user_key, subject, network, browser };
}

function lineOf(event: ReturnType<typeof eventOf>): string {
  const { kind, time, count, actor, user_key, subject, network, browser } = event;
  const facts = [
    `by ${actor}`,
    count > 1 && `${count} times`,
    user_key && `user ${user_key}`,
    subject && `concerning ${subject}`,
    network && `from ${network}`,
    browser && `in ${browser}`,
  ].filter((fact) => fact);
  return `  ${time}  ${kind}  ${facts.join(', ')}`;
}
