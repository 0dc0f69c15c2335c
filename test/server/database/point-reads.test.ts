import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { ApiKeyStore } from '../../../models/account/api-key.ts';
import { GroupStore } from '../../../models/account/group.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { inTransaction } from '../../../models/store/transaction.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { httpsClient, jsonOf } from '../../clients/https-client.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { serveProcess } from '../../processes/waybridge-process.ts';
import { account, group } from '../../services/account-fixture.ts';
import { openTestDatabase, testService } from '../../services/database.ts';

async function openHere(settings: Readonly<Record<string, string>>): Promise<void> {
  const database = await openTestDatabase(readConfig(settings), true, { answers: true });
  onTestFinished(() => database.close());
}

test.each(['on', 'off'])(
  'with POINT_READS=%s, small reads find the same, and are commands if it is off',
  async (POINT_READS) => {
    await openHere({ DATA_DIR: await temporaryFolder(), POINT_READS });
    const { key: owner } = await account();
    const { key } = await group(owner, 'North');
    await group(owner, 'South');
    const accessScope = accountAccessScope(testService, owner);
    const counted = { commands: 0 };
    testService.connection.getClient().on('connectionCheckedOut', () => {
      counted.commands++;
    });
    const found = [
      (await GroupStore.findOne(accessScope, { key }, { name: 1 }))?.name,
      (await GroupStore.readOneShown({ accessScope, filter: { key } }))?.name,
      (await GroupStore.find(accessScope, {}).sort({ _id: -1 })).map(({ name }) => name),
      await GroupStore.aggregate(accessScope, [{ $match: { key } }, { $project: { _id: 0, name: 1 } }]),
    ];
    expect(found).toEqual(['North', 'North', ['South', 'North'], [{ name: 'North' }]]);
    // After a read that waited, as on a busy machine, the server is asked; it is asked for other work, too.
    if (POINT_READS === 'on') expect(counted.commands).toBeLessThan(found.length);
    else expect(counted.commands).toBeGreaterThanOrEqual(found.length);
  },
);

test('a transaction reads what it has written, and nobody else does', async () => {
  await openHere({ DATA_DIR: await temporaryFolder() });
  const { key: owner } = await account();
  const { key } = await group(owner, 'North');
  const accessScope = accountAccessScope(testService, owner);
  const nameOf = async () => [
    (await GroupStore.findOne(accessScope, { key }))?.name,
    (await GroupStore.readOneShown({ accessScope, filter: { key } }))?.name,
  ];
  const writing = new EventEmitter();
  const outside = once(writing, 'written').then(nameOf);
  const work = async () => {
    await GroupStore.updateOne(accessScope, { key }, { name: 'South' });
    writing.emit('written');
    return [await nameOf(), await outside];
  };
  expect(await inTransaction(testService, work, () => true)).toEqual([
    ['South', 'South'],
    ['North', 'North'],
  ]);
  expect(await nameOf()).toEqual(['South', 'South']);
});

test.each(['1', '2'])('what another process has acknowledged is read, with %s workers', async (WORKERS) => {
  const DATA_DIR = await temporaryFolder();
  const service = await serveProcess({ DATA_DIR, WORKERS }, '--no-demo');
  onTestFinished(async () => {
    await service.end('SIGKILL');
  });
  await openHere(service.settings);
  const owner = await account();
  const accessScope = accountAccessScope(testService, owner.key);
  const client = httpsClient(await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8'));
  const headers = { ...owner.headers, 'content-type': 'application/json' };
  const send = async (method: string, path: string, body?: object) =>
    jsonOf(
      await client(`${service.url}/api/v2${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
    );
  const { key } = await send('POST', '/groups', { name: 'North' });
  for (let turn = 0; turn < 20; turn += 1) {
    await send('POST', `/group/${key}`, { name: `there ${turn}` });
    expect((await GroupStore.findOne(accessScope, { key: String(key) }))?.name).toBe(`there ${turn}`);
    await GroupStore.updateOne(accessScope, { key: String(key) }, { name: `here ${turn}` });
    expect(await send('GET', `/group/${key}`)).toMatchObject({ name: `here ${turn}` });
  }
  await ApiKeyStore.updateOne(accessScope, { key: owner.apiKeyKey }, { revoked: new Date() });
  await expect(send('GET', `/group/${key}`)).rejects.toThrow(/^401/);
});
