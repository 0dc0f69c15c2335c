import type { Command } from 'commander';

import type { IngestKeyHolder } from '../../auth/ingest-keys.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';

import { command, type Texts } from '../command-line/operator-command.ts';

/** Differences between the keys of devices and of forwarders on the command line. */
interface KeyKind {
  readonly of: 'device' | 'forwarder';
  /** The option that names the holder. */
  readonly option: 'device' | 'account';
  readonly description: string;
  readonly summary: string;
  readonly holder: string;
  holderOf(key: string): Promise<IngestKeyHolder>;
}

const DEVICE: KeyKind = {
  of: 'device',
  option: 'device',
  description: 'Credentials with which a device sends its positions',
  summary: 'Issue a key with which a device sends its positions',
  holder: 'device that uses the key',
  holderOf: async (key) => {
    const { anyRecord } = await import('../../resolvers/input/any-record.ts');
    const { key: device_key, account_key } = await anyRecord('device', key);
    return { account_key, device_key };
  },
};

const FORWARDER: KeyKind = {
  of: 'forwarder',
  option: 'account',
  description: "Credentials with which a server sends positions of an account's devices",
  summary: "Issue a key to a server that forwards positions of an account's devices, such as Traccar",
  holder: 'account whose positions the server forwards',
  holderOf: async (key) => {
    const { existingAccountScope } = await import('../../resolvers/input/any-record.ts');
    const { account_key } = await existingAccountScope(key);
    return { account_key, device_key: null };
  },
};

interface HolderOptions extends Texts<never, KeyKind['option']> {
  readonly createDevices?: boolean;
}

/** `device-key` and `forwarder-key`: `issue`, `list` and `revoke` of both */
export function addIngestKeyCommands(program: Command): void {
  for (const kind of [DEVICE, FORWARDER]) addCommands(program, kind);
}

function addCommands(program: Command, kind: KeyKind): void {
  const { of, option } = kind;
  const name = `${of}-key`;
  const group = program.command(name).description(kind.description);
  const issued = `${of}_key_secret`;

  const issue = command(group, 'issue', kind.summary)
    .example(`${name} issue --${option} KEY`)
    .requiredOption(`--${option} <key>`, kind.holder);
  if (kind === FORWARDER) {
    issue.option('--create-devices', 'make devices that the account does not have, each in a vehicle with its name');
  }
  issue.answers(async (options: HolderOptions) => {
    const { issueIngestKey } = await import('../../auth/ingest-keys.ts');
    const creates_devices = options.createDevices === true;
    const { secret, key: id } = await issueIngestKey({
      ...(await kind.holderOf(options[option] ?? '')),
      creates_devices,
    });
    return {
      title: `Key of a ${of} issued`,
      json: { [issued]: secret, id },
      note: 'Keep the secret: it is shown only once. Send it as bearer token. To revoke it, use its id.',
    };
  }, true);

  command(group, 'list', 'List the issued keys, without their secrets')
    .example(`${name} list --${option} KEY`)
    .requiredOption(`--${option} <key>`, kind.holder)
    .answers(async (options: HolderOptions) => {
      const { listIngestKeys } = await import('../../auth/ingest-keys.ts');
      const found = await listIngestKeys(await kind.holderOf(options[option] ?? ''));
      const keys = found.map(({ key: id, created, last_used, revoked, creates_devices }) => ({
        id,
        ...(kind === FORWARDER && { creates_devices }),
        created: formatOffsetDateTime(created),
        last_used: last_used && formatOffsetDateTime(last_used),
        revoked: revoked && formatOffsetDateTime(revoked),
      }));
      const lines = keys.map(({ id, created, last_used, revoked, creates_devices = false }) => {
        const used = last_used === null ? 'never used' : `used ${last_used}`;
        const makes = creates_devices ? ', makes devices' : '';
        return `  ${id}  issued ${created}, ${revoked === null ? used : `revoked ${revoked}`}${makes}`;
      });
      return { title: `${keys.length} keys`, json: { keys }, lines };
    });

  command(group, 'revoke', 'Revoke a key immediately; revoking it again has no effect')
    .example(`${name} revoke --id ID`)
    .requiredOption('--id <id>', 'id that was printed when the key was issued')
    .answers(async ({ id }: Texts<'id'>) => {
      const { revokeIngestKey } = await import('../../auth/ingest-keys.ts');
      const { unknownKey } = await import('../../resolvers/input/unknown-key.ts');
      if (!(await revokeIngestKey(id, of))) throw unknownKey('id', `a key of a ${of} (its id)`, id);
      return { title: `Key of a ${of} revoked`, json: { id, revoked: true } };
    });
}
