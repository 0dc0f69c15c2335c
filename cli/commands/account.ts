import type { Command } from 'commander';

import { formatOffsetDateTime } from '../../schema/date-time.ts';

import { command, type Flags, type Texts } from '../shell/operator-command.ts';
import { secretFromStdin } from '../shell/secret-stdin.ts';
import {
  addDescribed,
  addResource,
  argument,
  type ArgumentOption,
  argumentsIn,
  type FieldCommand,
  inWordsOf,
  type Json,
  listAnswer,
  pageOptions,
  readNumber,
  recordOf,
} from '../shell/resource.ts';
import { CommandError, UsageError } from '../shell/command-error.ts';
import { ACCOUNT } from '../records/account.ts';
import type { Service } from '../../models/store/service.ts';

type AddOptions = Texts<'nickname' | 'plan', 'email'> & Flags<'passwordStdin'>;

/** `account`: its own commands, and those that only an operator has */
export function addAccountCommands(program: Command): void {
  const group = addResource(program, ACCOUNT);
  addList(group);
  addSalesUpdates(group);
  addRemoval(group);

  command(group, 'find', 'Find the account of a user by e-mail address, if it is in one account only')
    .example('account find --email ada@example.com')
    .requiredOption('--email <address>', 'e-mail address with which the user signs in')
    .answers(async ({ email }: Texts<'email'>, { config: { authUrl }, service }) => {
      const { findUserByEmail } = await import('../../resolvers/account/list-accounts.ts');
      const { key: user_key, account_key } = await findUserByEmail(service, email);
      const json = { ...(await recordOf(service, ACCOUNT, account_key, account_key, authUrl)), user_key };
      return { title: 'Account', json, quiet: [account_key] };
    });

  command(group, 'add', 'Add an account with an owner, an API key and a subscription')
    .example('account add --nickname "Harbour Bakery" --email ada@example.com --password-stdin < password.txt')
    .requiredOption('--nickname <name>', 'name of the business')
    .option('--plan <plan>', 'premium or basic; with basic, API keys are disabled', 'premium')
    .option('--email <address>', "the owner's e-mail address for signing in")
    .option('--password-stdin', "read the owner's password from standard input: 15 characters or more")
    .hook('preAction', (add) => {
      const { email, passwordStdin } = add.opts<AddOptions>();
      if ((email === undefined) === (passwordStdin === undefined)) return;
      throw new UsageError('--email and --password-stdin belong together; give both or neither');
    })
    .answers(async ({ nickname, plan, email }: AddOptions, { config: { authUrl }, service }) => {
      const signIn = email === undefined ? null : { email, password: await secretFromStdin('--password-stdin') };
      const { createAccount } = await import('../../resolvers/account/create-account.ts');
      const { account_key, api_key } = await createAccount(service, { nickname, plan, signIn });
      return {
        title: 'Account added',
        json: { ...(await recordOf(service, ACCOUNT, account_key, account_key, authUrl)), api_key },
        quiet: [account_key, api_key],
        note: 'Save api_key: it is shown only once.',
      };
    }, true);
}

/** Adds the commands for the sales data of an account, which only the operator knows. */
function addSalesUpdates(group: Command): void {
  addUpdate(group, {
    verb: 'update-billing',
    summary: 'Store the payment method of an account; omitted fields stay unchanged',
    example: 'KEY --billing-method card --card-type Visa --last-four 4242',
    options: [
      argument('--billing-method <method>', 'billing_method', 'for example card or invoice'),
      argument('--card-type <type>', 'card_type', 'brand of the card'),
      argument('--last-four <digits>', 'last_four', 'last four digits of the card'),
      argument('--expiration-month <month>', 'expiration_month', 'month in which the card expires').readBy(readNumber),
      argument('--expiration-year <year>', 'expiration_year', 'year in which the card expires').readBy(readNumber),
    ],
    change: async (service, key, values) =>
      (await import('../../resolvers/account/update-sales.ts')).updateBilling(service, key, values),
  });
  addUpdate(group, {
    verb: 'update-partner',
    summary: 'Store the sales partner of an account; omitted fields stay unchanged',
    example: 'KEY --partner-key north --partner-name "North Telematics"',
    options: [
      argument('--partner-key <key>', 'partner_key', 'key of the partner'),
      argument('--partner-name <name>', 'partner_name', 'name of the partner'),
      argument('--tier-key <key>', 'tier_key', "key of the partner's tier"),
      argument('--tier-name <name>', 'tier_name', "name of the partner's tier"),
    ],
    change: async (service, key, values) =>
      (await import('../../resolvers/account/update-sales.ts')).updatePartner(service, key, values),
  });
}

function addRemoval(group: Command): void {
  addDescribed(group, ACCOUNT, {
    verb: 'remove',
    summary: 'Remove an account and end all access to it; it can be restored for 30 days, then all its data is deleted',
    example: 'KEY',
    isOfRecord: true,
  }).answers(async (_given, { service }, key) => {
    await (await import('../../resolvers/account/remove-account.ts')).removeAccount(service, key);
    return { title: 'Account removed', json: { key, deleted: true } };
  });
  addDescribed(group, ACCOUNT, {
    verb: 'restore',
    summary: 'Restore a removed account with its users, keys and grants',
    example: 'KEY',
    isOfRecord: true,
  }).answers(async (_given, { config: { authUrl }, service }, key) => {
    await (await import('../../resolvers/account/remove-account.ts')).restoreAccount(service, key);
    return { title: 'Account restored', json: await recordOf(service, ACCOUNT, key, key, authUrl) };
  });
}

/** An update of accounts without a query or mutation. */
type AccountUpdate = Pick<FieldCommand, 'verb' | 'summary' | 'example'> & {
  readonly options: readonly ArgumentOption[];
  readonly change: (service: Service, key: string, values: Json) => Promise<void>;
};

function addUpdate(group: Command, { change, ...described }: AccountUpdate): void {
  const { options } = described;
  addDescribed(group, ACCOUNT, { ...described, isOfRecord: true }).answers(
    async (given: Json, { config: { authUrl }, service }, key) => {
      await inWordsOf(options, change(service, key, argumentsIn(options, given)));
      return { title: 'Account updated', json: await recordOf(service, ACCOUNT, key, key, authUrl) };
    },
  );
}

function addList(group: Command): void {
  const options = [
    argument('--email <address>', 'email', 'only accounts of users with this address'),
    ...pageOptions(),
  ];
  const added = command(group, 'list', 'List the accounts of the service, in order of creation').example(
    'account list --first 20',
  );
  for (const option of options) added.addOption(option);
  added.answers(async (given: Json, { config: { authUrl }, service }) => {
    const { listAccounts } = await import('../../resolvers/account/list-accounts.ts');
    const { nodes, page_info } = await inWordsOf(options, listAccounts(service, argumentsIn(options, given)));
    const accounts: Json[] = [];
    for (const { key } of nodes) accounts.push(await recordOf(service, ACCOUNT, key, key, authUrl));
    return listAnswer({ nodes: accounts, page_info }, ACCOUNT);
  });
}

/** `setup-link`: what `serve` prints until there is an account */
export function addSetupLinkCommand(program: Command): void {
  command(program, 'setup-link', 'Print the link with which a browser creates the first account, once, within an hour')
    .example('setup-link')
    .answers(async (_options, { config: { authUrl, dataDir }, service }) => {
      const { readDemoKeys } = await import('../../server/demo/demo-keys.ts');
      const { issueSetupLink } = await import('../../resolvers/account/setup-link.ts');
      const demoAccount = (await readDemoKeys(dataDir))?.account_key ?? null;
      const issued = await issueSetupLink(service, demoAccount, authUrl);
      if (issued === null) throw new CommandError('There is an account; account add adds another');
      const { link: setup_link, expires } = issued;
      return {
        title: 'Setup link issued',
        quiet: [setup_link],
        json: { setup_link, expires: formatOffsetDateTime(expires) },
        note: 'Anyone who opens it can create the account. It invalidates the one before.',
      };
    }, true);
}
