import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';

import type { Endpoint } from '../../http/endpoint.ts';
import { createHost, type HostOptions } from '../../http/host.ts';
import { type LocalCertificate, localCertificate } from '../../http/tls/local-ca.ts';
import { createLog } from '../../http/observing/logs.ts';
import { AddressRanges } from '../../http/requests/address-ranges.ts';

/** The time of the machine: no test has pretended another one when this file is loaded, and benches have no test runner. */
const REAL_TIME = new Date();

let made: Promise<LocalCertificate & { readonly ca: string }> | undefined;

/** A certificate for this machine, made once, and its authority's as PEM. It is valid now, whichever time a test pretends. */
export function testCertificate(): Promise<LocalCertificate & { readonly ca: string }> {
  made ??= makeCertificate();
  return made;
}

async function makeCertificate(): Promise<LocalCertificate & { readonly ca: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-ca-'));
  try {
    const certificate = await localCertificate(folder, [], REAL_TIME);
    return { ...certificate, ca: await readFile(certificate.caFile, 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A host under test and what it logged, a line an entry. */
export interface TestHost {
  readonly app: FastifyInstance;
  readonly lines: string[];
}

/** A host with the given endpoints, which closes when the test ends; requests of `proxies` count as a TLS proxy's. */
export async function testHost(
  endpoints: readonly Endpoint[],
  options: Partial<HostOptions> & { readonly proxies?: string } = {},
): Promise<TestHost> {
  const lines: string[] = [];
  const app = createHost({
    certificate: await testCertificate(),
    trustedProxies: AddressRanges.parse(options.proxies ?? '') ?? AddressRanges.NONE,
    log: createLog('debug', { write: (line: string) => void lines.push(line) }),
    ping: async () => undefined,
    version: '1.2.3',
    metricsToken: null,
    ...options,
    endpoints,
  });
  onTestFinished(() => app.close());
  return { app, lines };
}

/** Lets a host listen on a free port of this machine, and answers the port. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** An endpoint from a function that adds routes. */
export function endpointOf(register: Endpoint['register']): Endpoint {
  return { name: 'test', register };
}
