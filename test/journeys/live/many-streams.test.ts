import { expect, onTestFinished, test, vi } from 'vitest';

import { Admission } from '../../../http/admission/admission.ts';
import { configuredQuotas, readConfig } from '../../../server/configuration/config.ts';
import { subscribe } from '../../clients/event-client.ts';
import { gatewayEndpoint } from '../../clients/graphql-client.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';
import { listen } from '../../hosts/test-host.ts';

useDatabase();

const CHANGES = 'subscription { changes { page_info { end_cursor } } }';

test('a caller has as many streams as RATE_LIMIT_STREAMS says, and another one where it ends one', async () => {
  const quotas = configuredQuotas(readConfig({ RATE_LIMIT_STREAMS: '2' }));
  const app = await openHost([await gatewayEndpoint()], { admission: new Admission(quotas) });
  onTestFinished(() => app.close());
  const port = await listen(app);
  const [{ headers }, other] = [await account(), await account()];
  const open = async (by: Record<string, string>) => {
    const stream = await subscribe(port, CHANGES, by);
    expect(await stream.next()).toMatchObject({ data: { changes: { page_info: {} } } });
    return stream;
  };
  const [first] = [await open(headers), await open(headers)];
  const rejected = await app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { host: 'localhost', accept: 'text/event-stream', ...headers },
    payload: { query: CHANGES },
  });
  expect(rejected.statusCode).toBe(429);
  expect(rejected.headers['retry-after']).toBe('10');
  expect(rejected.json()).toMatchObject({ errors: [{ extensions: { code: 'TOO_MANY_REQUESTS' } }] });
  await open(other.headers);
  first?.end();
  await vi.waitFor(() => open(headers), 60_000);
});
