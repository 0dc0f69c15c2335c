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
    show('account', 'Show an account', { keyArgument: null }),
    update('updateAccount', 'Change an account; omitted fields stay unchanged', 'KEY --nickname "Harbour Bakery"', {
      keyArgument: null,
      emptied: '',
      options: fieldOptions(AccountInput),
    }),
    list('deletedRecords', 'List deleted records of a kind that can be restored', {
      verb: 'deleted',
      example: '--account KEY --kind vehicle',
      columns: ['key', 'kind', 'name', 'deleted', 'restorable_until'],
      options: [argument('--kind <kind>', 'kind', 'kind of the records').choices(Object.keys(RestorableKind))],
    }),
    update(
      'updateRetention',
      'Change how long positions are kept; a shorter retention is pending for seven days',
      'KEY --positions-days 90 --trips keep_facts',
      {
        verb: 'update-retention',
        keyArgument: null,
        options: [
          argument('--positions-days <days>', 'positions_days', 'days, 1 to 3650; no limit if cleared').readBy(
            readNumber,
          ),
          argument('--trips <what>', 'trips', 'what happens to expired trips')
            .choices(['keep_facts', 'remove'])
            .neverEmpty(),
        ],
      },
    ),
    update(
      'updateTripSettings',
      'Change what decides where trips begin and end; an empty value restores the default',
      'KEY --stop 600 --minimum-distance 500',
      { verb: 'update-trip-settings', keyArgument: null, options: fieldOptions(TripSettingsInput) },
    ),
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
    list('users', 'List the users of an account', {
      options: [
        argument(
          '--group <key...>',
          'group_keys',
          'only users of these groups and the groups below them; may be repeated',
        ),
      ],
    }),
    show('user', 'Show a user'),
    update('updateUser', 'Change a user; omitted fields stay unchanged', 'KEY --role viewer', {
      options: [
        argument('--email <address>', 'email', 'e-mail address for signing in').neverEmpty(),
        ...personOptions(),
      ],
    }),
    remove('deleteUser', 'Delete a user and end all access of the user; it can be restored for 30 days'),
    update('restoreUser', 'Restore a deleted user, with the same password', 'KEY', {
      verb: 'restore',
      done: 'restored',
    }),
    update('inviteUser', 'Issue a new invitation link for a user without a password', 'KEY', {
      verb: 'invite',
      done: 'invited',
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
    list('apiKeys', 'List the API keys of an account, without their secrets'),
    show('apiKey', 'Show an API key, without its secret'),
    add('issueApiKey', 'Issue an API key to the owner of an account', '--account KEY --name Bookkeeping', {
      secret: 'api_key',
      options: fieldOptions(SecretKeyChange),
    }),
    update('updateApiKey', 'Rename an API key', 'KEY --name Bookkeeping', { options: fieldOptions(SecretKeyChange) }),
    remove('deleteApiKey', 'Revoke an API key immediately; idempotent', { done: 'revoked' }),
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
    list('apps', 'List the applications that an account has registered'),
    show('app', 'Show an application, without its secret', { example: 'CLIENT_ID --json' }),
    update(
      'updateApp',
      'Change an application; omitted fields stay unchanged',
      'CLIENT_ID --name "Route planner" --redirect-uri https://planner.example/callback',
      {
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
      },
    ),
    update(
      'rotateAppSecret',
      'Issue a new secret for an application; the old one becomes invalid immediately',
      'CLIENT_ID',
      { verb: 'rotate-secret', done: 'changed', secret: 'client_secret' },
    ),
    remove('deregisterApp', 'Delete an application and revoke everything that was granted to it', {
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
    list('appGrants', 'List the access that users of an account have granted, newest first'),
    show('appGrant', 'Show the access that a user has granted to an application'),
    remove('deleteAppGrant', 'Revoke a grant to an application immediately', { done: 'revoked' }),
  ],
};

/** `subscription`, to which the commands are added that only an operator has */
export const SUBSCRIPTION: Resource = {
  name: 'subscription',
  description: 'Plans that an account has bought',
  columns: ['key', 'plan.name', 'quantity', 'status', 'started_at', 'ends_at'],
  relations: ['plan { key name billing_period }'],
  commands: [
    list('subscriptions', 'List the subscriptions of an account'),
    show('subscription', 'Show a subscription'),
  ],
};
