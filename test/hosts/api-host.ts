import type { FastifyInstance } from 'fastify';

import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { gatewayEndpoint, ORIGIN } from '../clients/graphql-client.ts';
import { testService } from '../services/database.ts';
import { openHost } from './open-host.ts';

/** A host with the account API and the GraphQL gateway for a whole test file, which closes it. */
export async function apiHost(): Promise<FastifyInstance> {
  return openHost([
    await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN)),
    await gatewayEndpoint(),
  ]);
}
