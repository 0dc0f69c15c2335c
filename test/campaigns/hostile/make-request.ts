import { Dice } from './dice.ts';
import { accountRequest } from './doors/account.ts';
import { contentRequest } from './doors/content.ts';
import { graphqlRequest } from './doors/graphql.ts';
import { ingestRequest } from './doors/ingest.ts';
import { oauthRequest } from './doors/oauth.ts';
import { operationsRequest } from './doors/operations.ts';
import { siteRequest } from './doors/site.ts';
import { socketRequest } from './doors/sockets.ts';
import { tokenRequest } from './doors/token.ts';
import { tripExportRequest } from './doors/trip-export.ts';
import { type HostileRequest, type MakeDraft, plainRequest } from './hostile-request.ts';
import { withOddHeaders } from './odd-headers.ts';
import type { World } from './world.ts';

interface Door {
  readonly name: string;
  /** Share of the requests. */
  readonly weight: number;
  readonly make: MakeDraft;
}

/** Every door, by the names of the table; `sockets` asks all of them in broken ways. */
export const DOORS: readonly Door[] = [
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

const DOOR_WEIGHTS = DOORS.map((door) => [door.weight, door] as const);

/** The request of a number: the same for the same seed, number and world. */
export function makeRequest(seed: string, number: number, world: World): HostileRequest {
  const dice = new Dice(`${seed} ${number}`);
  const isProper = dice.weighted([
    [DOORS.reduce((sum, { weight }) => sum + weight, 0), true],
    [SOCKETS_WEIGHT, false],
  ]);
  const door = dice.weighted(DOOR_WEIGHTS);
  const draft = withOddHeaders(dice, door.make(dice, world));
  if (!isProper) return socketRequest(dice, world, draft);
  const request = plainRequest(door.name, draft);
  // A header of its own may ask for another way to go on.
  const isFramed = !draft.headers.some(([name]) => /^(?:expect|upgrade|connection)$/i.test(name));
  return { ...request, isFramed };
}
