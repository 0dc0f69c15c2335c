import type { FastifyInstance } from 'fastify';

import type { Door } from '../server/door.ts';
import { createHost, type HostOptions } from '../server/host.ts';
import { createLog } from '../server/logs.ts';
import { TrustedProxies } from '../server/trusted-proxies.ts';
import { testCertificate } from './server/test-host.ts';

/** A host with the given doors for a whole test file, which closes it. What it logs as an error goes to stderr. */
export async function openHost(
  doors: readonly Door[],
  options: Pick<HostOptions, 'admission'> = {},
): Promise<FastifyInstance> {
  const app = createHost({
    certificate: await testCertificate(),
    trustedProxies: TrustedProxies.NONE,
    log: createLog('error', process.stderr),
    doors,
    ping: async () => undefined,
    metricsToken: null,
    ...options,
  });
  await app.ready();
  return app;
}
