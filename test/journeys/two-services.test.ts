import { readFile } from 'node:fs/promises';

import { expect, onTestFinished, test } from 'vitest';

import { isSealed } from '../../auth/secrets/key-encryption.ts';
import { SigningKeyStore } from '../../models/sign-in/signing-key.ts';
import { createAccount } from '../../resolvers/account/create-account.ts';
import { loggedSince } from '../../notifying/changes/retention.ts';
import { type RunningService, serve } from '../../server/service/serve.ts';
import { type HttpsFetch, httpsFetch } from '../clients/https-fetch.ts';
import { serverSettings } from '../services/database.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';

/** A service that answers, with an account. */
interface Tried {
  readonly running: RunningService;
  readonly apiKey: string;
  /** Asks it by GraphQL, with its own API key unless another one is given. */
  ask(query: string, apiKey?: string): Promise<{ readonly status: number; readonly data: Record<string, unknown> }>;
}

async function start(settings: Readonly<Record<string, string>>): Promise<Tried> {
  const DATA_DIR = await temporaryFolder();
  const running = await serve({
    env: { DATA_DIR, PORT: '0', LOG_LEVEL: 'silent', ...serverSettings(), ...settings },
    demo: 'refused',
  });
  onTestFinished(async () => void (await running.stop()));
  const { api_key: apiKey } = await createAccount(running.database.service, { nickname: 'Bakery', signIn: null });
  const send: HttpsFetch = await httpsFetch(await readFile(running.caFile ?? '', 'utf8'));
  const ask: Tried['ask'] = async (query, key = apiKey) => {
    const headers = { 'Content-Type': 'application/json', 'Service-Api-Key': key };
    const answer = await send(running.config.graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return { status: answer.status, data: ((await answer.json()) as { data: Record<string, unknown> }).data };
  };
  return { running, apiKey, ask };
}

/** Shares a new vehicle; returns the address of the share. */
async function share({ ask }: Tried): Promise<string> {
  const { data } = await ask('mutation { createVehicle(input: { nickname: "Van" }) { key } }');
  const { key } = data.createVehicle as { readonly key: string };
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const shared = await ask(`mutation { createShare(input: { vehicle_key: "${key}", expires: "${expires}" }) { url } }`);
  return (shared.data.createShare as { readonly url: string }).url;
}

test('two services in one process have their own settings and data, and one stops without the other', async () => {
  const KEY_ENCRYPTION_SECRET = 'a secret of the operator that is long enough';
  const plain = await start({ CHANGE_LOG_DAYS: '7' });
  const sealed = await start({ CHANGE_LOG_DAYS: '70', KEY_ENCRYPTION_SECRET });
  for (const one of [plain, sealed]) {
    expect(await share(one)).toMatch(new RegExp(`^${one.running.config.siteUrl}/s/wb_share_`));
    const { data } = await one.ask('{ vehicles { nodes { nickname } } changes { page_info { end_cursor } } }');
    expect(data.vehicles).toEqual({ nodes: [{ nickname: 'Van' }] });
  }

  const now = Date.now();
  const daysOf = ({ running }: Tried) => (now - loggedSince(running.database.service, now).getTime()) / 86_400_000;
  expect([daysOf(plain), daysOf(sealed)]).toEqual([7, 70]);
  const areSealed = async ({ running }: Tried) =>
    (await SigningKeyStore.find(running.database.service)).map(({ private_key }) => isSealed(private_key));
  expect([await areSealed(plain), await areSealed(sealed)]).toEqual([[false], [true]]);

  const question = '{ account { nickname } }';
  expect((await plain.ask(question, sealed.apiKey)).status).toBe(401);
  expect((await sealed.ask(question, plain.apiKey)).status).toBe(401);
  await plain.running.stop();
  expect((await sealed.ask(question)).data).toEqual({ account: { nickname: 'Bakery' } });
});
