import * as oauth from 'oauth4webapi';
import { beforeAll, describe, expect, test } from 'vitest';

import { findAccessToken } from '../../../auth/grants.ts';
import { DEFAULT_SCOPES } from '../../../auth/scopes/scope.ts';
import { useDatabase, testService } from '../../services/database.ts';
import type { HttpsFetch } from '../../clients/https-fetch.ts';
import { authorize, CALLBACK, registeredApp, signInUser, useOauthHost } from '../../hosts/oauth-host.ts';

useDatabase();

const service = useOauthHost();
let server: oauth.AuthorizationServer;
let options: { [oauth.customFetch]: HttpsFetch };
let user: Awaited<ReturnType<typeof signInUser>>;

beforeAll(async () => {
  options = { [oauth.customFetch]: service.at.fetch };
  const issuer = new URL(service.at.issuer);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options });
  server = await oauth.processDiscoveryResponse(issuer, response);
  user = await signInUser();
});

describe.each([
  ['client_secret_basic', (secret: string) => oauth.ClientSecretBasic(secret), false],
  ['client_secret_post', (secret: string) => oauth.ClientSecretPost(secret), false],
  ['none, as a public app does', () => oauth.None(), true],
] as const)('an app that authenticates by %s', (_, authentication, isPublic) => {
  test('goes the whole way with a certified client', async () => {
    const { client_id, client_secret } = await registeredApp({ scopes: DEFAULT_SCOPES, isPublic });
    const client: oauth.Client = { client_id };
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();

    const answer = await authorize(service.at, user, {
      client_id,
      state,
      scope: 'account.read account_activity.read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const params = oauth.validateAuthResponse(server, client, answer, state);
    const auth = authentication(client_secret);
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, auth, params, CALLBACK, verifier, options),
    );
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 86_400,
      scope: 'account.read account_activity.read',
    });
    expect(tokens.access_token).toMatch(/^[\w-]{43}$/);
    expect(await findAccessToken(testService, tokens.access_token)).toMatchObject({
      client_id,
      user_key: user.key,
      scopes: new Set(['account.read', 'account_activity.read']),
    });

    const refresh = async () =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, auth, tokens.refresh_token ?? '', options),
      );
    const [refreshed, simultaneous] = await Promise.all([refresh(), refresh()]);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect(simultaneous).toEqual({ ...refreshed, expires_in: expect.any(Number) });
    expect(await findAccessToken(testService, refreshed.access_token)).not.toBeNull();

    const introspect = async (token: string) =>
      oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, auth, token, options),
      );
    expect(await introspect(refreshed.access_token)).toMatchObject({ active: true, client_id, sub: user.key });

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, auth, refreshed.refresh_token ?? '', options),
    );
    expect(await findAccessToken(testService, refreshed.access_token)).toBeNull();
    expect(await introspect(refreshed.access_token)).toEqual({ active: false });
  });
});
