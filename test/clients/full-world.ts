import { SCOPES } from '../../auth/scopes/scope.ts';
import { leasedWorkEnded } from '../../tracking/recording/device-lease.ts';
import { at } from '../hosts/ingest-host.ts';
import { appFor, user } from '../services/account-fixture.ts';
import { testService } from '../services/database.ts';

import type { AccountClient } from './account-client.ts';
import { makeWorld, type World } from './example-requests.ts';

/** A {@link World} with its account. */
export interface FullWorld extends World {
  readonly account_key: string;
}

/** Makes an account with a record of each kind, whose vehicle has a driver, a group, a tag, positions, visits and events. */
export async function fullWorld(client: AccountClient): Promise<FullWorld> {
  const world = await makeWorld(client);
  const { headers, keys, secret } = world;
  const { key: account_key } = (await client.get('/account', headers)).json();
  const change = async (path: string, body: object) => {
    const answer = await client.post(path, body, headers);
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`);
    return answer.json();
  };
  const group_keys = [keys.group];
  await change(`/user/${keys.user}`, { group_keys });
  await change(`/vehicle/${keys.vehicle}`, { group_keys, driver_key: keys.user, odometer: 1200 });
  const { key: tag } = await change('/tags', { type: 'Car', value: 'Cold' });
  await change(`/tag/${tag}/apply`, { entity_keys: [keys.vehicle] });
  await change('/places', { name: 'Road', point: at(10).point, radius: 30 });
  const points = [at(0, 'engine_start'), at(10, 'trip_hard_brake'), at(20), at(30, 'engine_stop')];
  await client.post('/ingest', { points }, { authorization: `Bearer ${secret}` });
  await leasedWorkEnded(testService);
  const app = await appFor(await user(account_key), Object.keys(SCOPES));
  await client.post('/webhooks', { url: 'https://app.example/', events: ['trip_end'] }, app.headers);
  return { ...world, account_key };
}
