import { errors } from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createGrant, findGrant } from '../../../auth/grants.ts';
import { singleUseTokens } from '../../../auth/oauth/storage/token-storage.ts';
import { newKey } from '../../../models/key.ts';
import { account, appFor, user } from '../../services/account-fixture.ts';
import { useDatabase, testService, changeSettings } from '../../services/database.ts';

useDatabase();

const NOW = Math.floor(Date.now() / 1000);

async function issued(kind: 'AuthorizationCode' | 'RefreshToken') {
  const storage = singleUseTokens(testService, kind);
  const { client_id, grant } = await appFor(await user((await account()).key), ['account.read']);
  const id = newKey();
  const { user_key: accountId, grant_hash: grantId } = grant;
  await storage.upsert(id, { kind, jti: id, accountId, clientId: client_id, grantId, iat: NOW, exp: NOW + 60 });
  return { storage, id, grantId };
}

beforeAll(() => changeSettings({ refreshReuseSeconds: 0 }));
afterAll(() => changeSettings({ refreshReuseSeconds: 10 }));

test.each(['AuthorizationCode', 'RefreshToken'] as const)(
  'of two who use one %s at the same moment the later is refused, and ends the grant, if nothing may be used again',
  async (kind) => {
    const { storage, id, grantId } = await issued(kind);
    const used = await Promise.allSettled([storage.consume(id), storage.consume(id)]);
    const refused = used.filter((one) => one.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual([expect.any(errors.InvalidGrant)]);
    expect([await findGrant(testService, grantId), await storage.find(id)]).toEqual([null, undefined]);
  },
);

test('a refresh token keeps its grant for as long as it can be used', async () => {
  const storage = singleUseTokens(testService, 'RefreshToken');
  const { client_id, grant } = await appFor(await user((await account()).key), ['account.read']);
  const unexpired = await createGrant(testService, {
    user_key: grant.user_key,
    client_id,
    scopes: [],
    expires_at: new Date(NOW * 1000),
  });
  const token = {
    accountId: unexpired.user_key,
    clientId: client_id,
    grantId: unexpired.grant_hash,
    iat: NOW,
    exp: NOW + 60,
  };
  await storage.upsert(newKey(), token);
  expect((await findGrant(testService, unexpired.grant_hash))?.expires_at).toEqual(new Date((NOW + 60) * 1000));
});
