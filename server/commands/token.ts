import type { Command } from 'commander';

import { isLoopbackHost } from '../../http/requests/loopback.ts';

import type { CommonOptions } from '../command-line/answer.ts';
import { CommandError } from '../command-line/command-error.ts';
import { answering, operatorCommand } from '../command-line/operator-command.ts';

interface TripTokenOptions extends CommonOptions {
  readonly vehicle: string;
  readonly origin: string;
  readonly scope: string;
}

interface AccessTokenOptions extends CommonOptions {
  readonly app: string;
  readonly user: string;
  readonly scope?: readonly string[];
}

/** `token issue` and `oauth-token issue` */
export function addTokenCommands(program: Command): void {
  const tripTokens = program.command('token').description('Special-purpose tokens for the trip map');

  operatorCommand(tripTokens, 'issue', {
    summary: 'Issue a special-purpose token for trying out, valid for an hour',
    example: 'token issue --vehicle KEY --origin https://www.example.com --scope loc-past-gte:2026-03-01',
  })
    .requiredOption('--vehicle <key>', 'vehicle whose trips it opens')
    .requiredOption('--origin <url>', 'https origin of the page that may use it')
    .option('--scope <scope>', 'loc-past, loc-past-gte:<timestamp> or loc-past-lt:<timestamp>', 'loc-past')
    .action(
      answering(async ({ vehicle, origin, scope }: TripTokenOptions, { authUrl: issuer }) => {
        const { issueTrialToken } = await import('../../resolvers/tokens/trial-token.ts');
        const { token, expires_in, token_type } = await issueTrialToken({ vehicle, origin, scope, issuer });
        return { title: 'Token issued', json: { token, expires_in, token_type } };
      }),
    );

  const accessTokens = program.command('oauth-token').description('OAuth access tokens, for development');

  operatorCommand(accessTokens, 'issue', {
    summary: 'Issue an OAuth access token as though a user had granted it; only while AUTH_URL is on this machine',
    example: 'oauth-token issue --app CLIENT_ID --user KEY --scope account.read',
  })
    .requiredOption('--app <client-id>', 'app that acts')
    .requiredOption('--user <key>', 'user for whom it acts')
    .option('--scope <scope...>', 'what is granted (default: all that the app may be granted); may be repeated')
    .action(
      answering(async ({ app, user, scope }: AccessTokenOptions, { authUrl }) => {
        if (!isLoopbackHost(new URL(authUrl).hostname)) {
          throw new CommandError('AUTH_URL is not on this machine, so let the user grant access at its /authorize');
        }
        const { issueTrialAccessToken } = await import('../../resolvers/tokens/trial-access-token.ts');
        const access_token = await issueTrialAccessToken({ app, user, ...(scope && { scopes: scope }) });
        return { title: 'Access token issued', json: { access_token } };
      }),
    );
}
