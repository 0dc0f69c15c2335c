import type { FastifyInstance } from 'fastify';

import type { Endpoint } from '../../http/endpoint.ts';
import { createHost, type HostOptions } from '../../http/host.ts';
import { createLog } from '../../http/observing/logs.ts';
import { AddressRanges } from '../../http/requests/address-ranges.ts';
import { testCertificate } from './test-host.ts';

/** A host with the given endpoints for a whole test file, which closes it. What it logs as an error goes to stderr. */
export async function openHost(
  endpoints: readonly Endpoint[],
  options: Partial<Pick<HostOptions, 'admission' | 'log' | 'metrics'>> = {},
): Promise<FastifyInstance> {
  const app = createHost({
    certificate: await testCertificate(),
    trustedProxies: AddressRanges.NONE,
    log: createLog('error', process.stderr),
    endpoints,
    ping: async () => undefined,
    version: '1.2.3',
    metricsToken: null,
    ...options,
  });
  await app.ready();
  return app;
}
