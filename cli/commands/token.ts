import type { Command } from 'commander';

import { isLoopbackHost } from '../../http/requests/loopback.ts';

import { CommandError } from '../shell/command-error.ts';
import { command, type Texts } from '../shell/operator-command.ts';

type AccessTokenOptions = Texts<'app' | 'user'> & { readonly scope?: readonly string[] };

/** `token issue` and `oauth-token issue` */
export function addTokenCommands(program: Command): void {
  const tripTokens = program.command('token').description('Special-purpose tokens for the trip map');

  command(tripTokens, 'issue', 'Issue a special-purpose token for testing, valid for an hour')
    .example('token issue --vehicle KEY --origin https://www.example.com --scope loc-past-gte:2026-03-01')
    .requiredOption('--vehicle <key>', 'vehicle whose trips the token gives access to')
    .requiredOption('--origin <url>', 'https origin of the page that may use the token')
    .option('--scope <scope>', 'loc-past, loc-past-gte:<timestamp> or loc-past-lt:<timestamp>', 'loc-past')
    .answers(async (request: Texts<'vehicle' | 'origin' | 'scope'>, { config: { authUrl: issuer }, service }) => {
      const { issueTrialToken } = await import('../../resolvers/tokens/trial-token.ts');
      const { token, expires_in, token_type } = await issueTrialToken(service, { ...request, issuer });
      return { title: 'Token issued', json: { token, expires_in, token_type }, quiet: [token] };
    });

  const accessTokens = program.command('oauth-token').description('OAuth access tokens, for development');

  command(
    accessTokens,
    'issue',
    'Issue an OAuth access token as if a user had granted it; only if AUTH_URL is on this machine',
  )
    .example('oauth-token issue --app CLIENT_ID --user KEY --scope account.read')
    .requiredOption('--app <client-id>', 'application that gets the token')
    .requiredOption('--user <key>', 'user on whose behalf the application acts')
    .option('--scope <scope...>', 'scope to grant (default: all that the application may request); may be repeated')
    .answers(async ({ app, user, scope }: AccessTokenOptions, { config: { authUrl }, service }) => {
      if (!isLoopbackHost(new URL(authUrl).hostname)) {
        throw new CommandError('AUTH_URL is not on this machine; let the user grant access at its /authorize');
      }
      const { issueTrialAccessToken } = await import('../../resolvers/tokens/trial-token.ts');
      const access_token = await issueTrialAccessToken(service, { app, user, ...(scope && { scopes: scope }) });
      return { title: 'Access token issued', json: { access_token }, quiet: [access_token] };
    });
}
