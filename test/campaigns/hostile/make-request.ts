import { Dice } from './dice.ts';
import { accountRequest } from './endpoints/account.ts';
import { contentRequest } from './endpoints/content.ts';
import { graphqlRequest } from './endpoints/graphql.ts';
import { ingestRequest } from './endpoints/ingest.ts';
import { oauthRequest } from './endpoints/oauth.ts';
import { operationsRequest } from './endpoints/operations.ts';
import { siteRequest } from './endpoints/site.ts';
import { socketRequest } from './endpoints/sockets.ts';
import { tokenRequest } from './endpoints/token.ts';
import { tripExportRequest } from './endpoints/trip-export.ts';
import { type HostileRequest, type MakeDraft, plainRequest } from './hostile-request.ts';
import { withOddHeaders } from './odd-headers.ts';
import type { World } from './world.ts';

interface Endpoint {
  readonly name: string;
  /** Share of the requests. */
  readonly weight: number;
  readonly make: MakeDraft;
}

/** Every endpoint, by the names of the table; `sockets` asks all of them in broken ways. */
export const ENDPOINTS: readonly Endpoint[] = [
  { name: 'account API', weight: 14, make: accountRequest },
  { name: 'positions', weight: 12, make: ingestRequest },
  { name: 'GraphQL', weight: 20, make: graphqlRequest },
  { name: 'trip files', weight: 3, make: tripExportRequest },
  { name: 'token endpoint', weight: 6, make: tokenRequest },
  { name: 'OAuth and pages', weight: 12, make: oauthRequest },
  { name: 'content interface', weight: 22, make: contentRequest },
  { name: 'website and files', weight: 6, make: siteRequest },
  { name: 'operations', weight: 2, make: operationsRequest },
];

/** Share of the requests that are no proper ones. */
const SOCKETS_WEIGHT = 10;
/** Name of their row of the table. */
export const SOCKETS = 'sockets';

const ENDPOINT_WEIGHTS = ENDPOINTS.map((endpoint) => [endpoint.weight, endpoint] as const);

/** The request of a number: the same for the same seed, number and world. */
export function makeRequest(seed: string, number: number, world: World): HostileRequest {
  const dice = new Dice(`${seed} ${number}`);
  const isProper = dice.weighted([
    [ENDPOINTS.reduce((sum, { weight }) => sum + weight, 0), true],
    [SOCKETS_WEIGHT, false],
  ]);
  const endpoint = dice.weighted(ENDPOINT_WEIGHTS);
  const draft = withOddHeaders(dice, endpoint.make(dice, world));
  if (!isProper) return socketRequest(dice, world, draft);
  const request = plainRequest(endpoint.name, draft);
  // A header of its own may ask for another way to go on.
  const isFramed = !draft.headers.some(([name]) => /^(?:expect|upgrade|connection)$/i.test(name));
  return { ...request, isFramed };
}
