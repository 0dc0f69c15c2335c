import { AccountInput } from '../../schema/account/account.ts';
import { SecretKeyChange } from '../../schema/account/api-key.ts';
import { RestorableKind } from '../../schema/account/deleted-record.ts';
import { UserInput } from '../../schema/account/user.ts';
import { TripSettingsInput } from '../../schema/account/trip-settings.ts';

import {
  add,
  argument,
  type ArgumentOption,
  fieldOptions,
  list,
  pageOptions,
  readBoolean,
  readNumber,
  relationOf,
  remove,
  type Resource,
  show,
  update,
} from '../shell/resource.ts';

/** `account`, to which the commands are added that only an operator has */
export const ACCOUNT: Resource = {
  name: 'account',
  description: 'Customers of the service',
  columns: ['key', 'nickname', 'external_id', 'city', 'created'],
  relations: [
    'partner_tier { key name partner_key }',
    relationOf('trip_settings', TripSettingsInput),
    'retention { positions_days trips pending { positions_days trips effective } }',
  ],
  commands: [
    show({ field: 'account', keyArgument: null, summary: 'Show an account' }),
    update({
      field: 'updateAccount',
      keyArgument: null,
      summary: 'Change an account; omitted fields stay unchanged',
      example: 'KEY --nickname "Harbour Bakery"',
      emptied: '',
      options: fieldOptions(AccountInput),
    }),
    list({
      verb: 'deleted',
      field: 'deletedRecords',
      summary: 'List deleted records of a kind that can be restored',
      example: '--account KEY --kind vehicle',
      columns: ['key', 'kind', 'name', 'deleted', 'restorable_until'],
      options: [
        argument('--kind <kind>', 'kind', 'kind of the records').choices(Object.keys(RestorableKind)),
        ...pageOptions(),
      ],
    }),
    update({
      verb: 'update-retention',
      field: 'updateRetention',
      keyArgument: null,
      summary: 'Change how long positions are kept; a shorter retention is pending for seven days',
      example: 'KEY --positions-days 90 --trips keep_facts',
      options: [
        argument('--positions-days <days>', 'positions_days', 'days, 1 to 3650; no limit if cleared').readBy(
          readNumber,
        ),
        argument('--trips <what>', 'trips', 'what happens to expired trips')
          .choices(['keep_facts', 'remove'])
          .neverEmpty(),
      ],
    }),
    update({
      verb: 'update-trip-settings',
      field: 'updateTripSettings',
      keyArgument: null,
      summary: 'Change what decides where trips begin and end; an empty value restores the default',
      example: 'KEY --stop 600 --minimum-distance 500',
      options: fieldOptions(TripSettingsInput),
    }),
  ],
};

/** Options that describe a user. */
export const personOptions = (): ArgumentOption[] => [
  argument('--role <role>', 'account_role', 'rights of the user in the account')
    .choices(['administrator', 'viewer', 'driver'])
    .neverEmpty(),
  ...fieldOptions(UserInput),
  argument('--group <key...>', 'group_keys', 'group to which the user is restricted; may be repeated'),
];

/** `user`, to which the commands are added that only an operator has */
export const USER: Resource = {
  name: 'user',
  description: 'People who sign in to an account',
  columns: ['key', 'email', 'first_name', 'last_name', 'account_role', 'groups.name', 'disabled'],
  relations: ['groups { key name }', 'tags { key color value }'],
  commands: [
    list({
      field: 'users',
      summary: 'List the users of an account',
      options: [
        argument(
          '--group <key...>',
          'group_keys',
          'only users of these groups and the groups below them; may be repeated',
        ),
        ...pageOptions(),
      ],
    }),
    show({ field: 'user', summary: 'Show a user' }),
    update({
      field: 'updateUser',
      summary: 'Change a user; omitted fields stay unchanged',
      example: 'KEY --role viewer',
      options: [
        argument('--email <address>', 'email', 'e-mail address for signing in').neverEmpty(),
        ...personOptions(),
      ],
    }),
    remove({
      field: 'deleteUser',
      summary: 'Delete a user and end all access of the user; it can be restored for 30 days',
    }),
    update({
      verb: 'restore',
      done: 'restored',
      field: 'restoreUser',
      summary: 'Restore a deleted user, with the same password',
      example: 'KEY',
    }),
    update({
      verb: 'invite',
      done: 'invited',
      field: 'inviteUser',
      summary: 'Issue a new invitation link for a user without a password',
      example: 'KEY',
      secret: 'invitation_url',
    }),
  ],
};

/** `api-key` */
export const API_KEY: Resource = {
  name: 'api-key',
  description: "Credentials of an account's owner",
  columns: ['key', 'name', 'created', 'last_used', 'revoked'],
  commands: [
    list({
      field: 'apiKeys',
      summary: 'List the API keys of an account, without their secrets',
      options: pageOptions(),
    }),
    show({ field: 'apiKey', summary: 'Show an API key, without its secret' }),
    add({
      field: 'issueApiKey',
      summary: 'Issue an API key to the owner of an account',
      example: '--account KEY --name Bookkeeping',
      secret: 'api_key',
      options: fieldOptions(SecretKeyChange),
    }),
    update({
      field: 'updateApiKey',
      summary: 'Rename an API key',
      example: 'KEY --name Bookkeeping',
      options: fieldOptions(SecretKeyChange),
    }),
    remove({
      field: 'deleteApiKey',
      done: 'revoked',
      summary: 'Revoke an API key immediately; idempotent',
    }),
  ],
};

/** Options that describe an application. */
export const appOptions = (): ArgumentOption[] => [
  argument('--name <name>', 'name', 'name shown on the consent page').neverEmpty(),
  argument(
    '--redirect-uri <url...>',
    'redirect_uris',
    'address to which browsers may be redirected; may be repeated',
  ).neverEmpty(),
];

/** `app`, to which the commands are added that only an operator has */
export const APP: Resource = {
  name: 'app',
  key: 'client_id',
  description: 'Third-party applications',
  columns: ['client_id', 'name', 'scopes', 'is_public', 'requires_pkce', 'reviewed'],
  commands: [
    list({ field: 'apps', summary: 'List the applications that an account has registered', options: pageOptions() }),
    show({ field: 'app', summary: 'Show an application, without its secret', example: 'CLIENT_ID --json' }),
    update({
      field: 'updateApp',
      summary: 'Change an application; omitted fields stay unchanged',
      example: 'CLIENT_ID --name "Route planner" --redirect-uri https://planner.example/callback',
      options: [
        ...appOptions(),
        argument(
          '--require-pkce <boolean>',
          'requires_pkce',
          'true to require PKCE (RFC 7636) of an application with a secret, false to make it optional',
        )
          .readBy(readBoolean)
          .neverEmpty(),
      ],
    }),
    update({
      verb: 'rotate-secret',
      done: 'changed',
      field: 'rotateAppSecret',
      summary: 'Issue a new secret for an application; the old one becomes invalid immediately',
      example: 'CLIENT_ID',
      secret: 'client_secret',
    }),
    remove({
      field: 'deregisterApp',
      summary: 'Delete an application and revoke everything that was granted to it',
      example: 'CLIENT_ID',
    }),
  ],
};

/** `grant` */
export const GRANT: Resource = {
  name: 'grant',
  description: 'Access that users have granted to applications',
  columns: ['key', 'user_key', 'app_name', 'scopes', 'created'],
  commands: [
    list({
      field: 'appGrants',
      summary: 'List the access that users of an account have granted, newest first',
      options: pageOptions(),
    }),
    show({ field: 'appGrant', summary: 'Show the access that a user has granted to an application' }),
    remove({ field: 'deleteAppGrant', done: 'revoked', summary: 'Revoke a grant to an application immediately' }),
  ],
};

/** `subscription`, to which the commands are added that only an operator has */
export const SUBSCRIPTION: Resource = {
  name: 'subscription',
  description: 'Plans that an account has bought',
  columns: ['key', 'plan.name', 'quantity', 'status', 'started_at', 'ends_at'],
  relations: ['plan { key name billing_period }'],
  commands: [
    list({ field: 'subscriptions', summary: 'List the subscriptions of an account', options: pageOptions() }),
    show({ field: 'subscription', summary: 'Show a subscription' }),
  ],
};
