import { beforeAll, expect, test } from 'vitest';

import { type AskGraphql, graphqlClient } from '../../clients/graphql-client.ts';
import { account, appFor, user } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';

useDatabase();

let ask: AskGraphql;
beforeAll(async () => {
  ask = await graphqlClient();
});

test('the owner issues a key that is valid immediately, sees it without its secret, and revokes it immediately', async () => {
  const { headers } = await account();
  const issued = (await ask('mutation { issueApiKey { key api_key } }', headers)).data?.issueApiKey as Record<
    string,
    string
  >;
  const fresh = { 'service-api-key': issued.api_key ?? '' };
  expect((await ask('{ account { nickname } }', fresh)).data).toEqual({ account: { nickname: 'Bakery' } });

  const { data } = await ask('{ apiKeys { nodes { key created last_used revoked } } }', headers);
  const nodes = [
    expect.objectContaining({ revoked: null }),
    { key: issued.key, created: expect.any(String), last_used: expect.stringMatching(/\+00:00$/), revoked: null },
  ];
  expect(data?.apiKeys).toEqual({ nodes });
  expect(JSON.stringify(data)).not.toContain(issued.api_key);

  const revoke = `mutation { revokeApiKey(key: "${issued.key}") { revoked } }`;
  const first = await ask(revoke, headers);
  expect(first.data).toEqual({ revokeApiKey: { revoked: expect.stringMatching(/\+00:00$/) } });
  expect(await ask(revoke, headers)).toEqual(first);
  expect(await ask('{ account { key } }', fresh)).toMatchObject({
    errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
  });
});

test('a key of another account cannot be revoked, nor seen', async () => {
  const mine = await account();
  const other = await account();
  expect(await ask(`mutation { revokeApiKey(key: "${other.apiKeyKey}") { key } }`, mine.headers)).toMatchObject({
    errors: [{ extensions: { code: 'NOT_FOUND' } }],
  });
  expect((await ask('{ account { key } }', other.headers)).data).toEqual({ account: { key: other.key } });
  expect(JSON.stringify(await ask('{ apiKeys { nodes { key } } }', mine.headers))).not.toContain(other.apiKeyKey);
});

test('no app may see, issue or revoke keys, whatever its scopes', async () => {
  const { key, apiKeyKey } = await account();
  const scopes = ['account.read', 'account.manage', 'devices.manage', 'billing.read', 'user.read'];
  const { headers } = await appFor(await user(key), scopes);
  for (const query of [
    '{ apiKeys { nodes { key } } }',
    'mutation { issueApiKey { key } }',
    `mutation { revokeApiKey(key: "${apiKeyKey}") { key } }`,
  ]) {
    expect(await ask(query, headers)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  }
});

test('the last API key does not revoke itself; of two that revoke each other at the same time, one stays', async () => {
  const { key, headers, apiKeyKey } = await account();
  const revoke = (which: string) => `mutation { revokeApiKey(key: "${which}") { revoked } }`;
  expect(await ask(revoke(apiKeyKey), headers)).toMatchObject({
    errors: [{ message: 'key is the last API key of the account', extensions: { code: 'BAD_REQUEST' } }],
  });
  expect((await ask('{ account { key } }', headers)).data).toEqual({ account: { key } });

  const issued = (await ask('mutation { issueApiKey { key api_key } }', headers)).data?.issueApiKey as Record<
    string,
    string
  >;
  const fresh = { 'service-api-key': issued.api_key ?? '' };
  await Promise.all([ask(revoke(apiKeyKey), fresh), ask(revoke(issued.key ?? ''), headers)]);
  const left = await Promise.all([headers, fresh].map(async (one) => (await ask('{ account { key } }', one)).data));
  expect(left.filter((data) => data?.account)).toHaveLength(1);
});
