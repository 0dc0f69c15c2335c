import { signTripToken } from '../../auth/trip-token.ts';
import type { Service } from '../../models/store/service.ts';
import type { BenchRow } from '../bench-row.ts';
import { type Duel, runDuels } from '../duel/duel.ts';
import { ISSUER, withDuelHost } from '../duel/duel-host.ts';
import { benchAccount, benchApp, benchVehicles } from '../records.ts';
import { anew, PAGE_ORIGIN, tripMapRequest } from './trip-map-request.ts';
import { benchTrips } from './trips-records.ts';

/** Number of trip maps that ask in turn, each with a token of its own grant. */
const MAPS = 16;

const WHY = 'GraphQL is executed, and each trip is cut to the permissions, privacy zones and driver of the moment';

/** A vehicle with trips, and the tokens of its maps. */
interface MappedVehicle {
  readonly key: string;
  readonly tokens: readonly string[];
}

/** Measures trip maps that are computed each time, without compression, against outlines encoded at rest by hand. */
export function tripMapDuels(): Promise<BenchRow[]> {
  return withDuelHost(records, (host) => {
    const { day, thousand } = host.records;
    return runDuels(host, [
      duel('a map of a day of 20 trips', day, { first: 50, day: 10, ceiling: 1.3, count: 200 }),
      duel('a map of 1,000 trips', thousand, { first: 1000, day: 0, ceiling: 1.5, count: 12 }),
    ]);
  });
}

async function records(service: Service) {
  const { key: account_key } = await benchAccount(service);
  const mapped = async (count: number, perDay: number): Promise<MappedVehicle> => {
    const key = await benchVehicles(service, account_key, 1);
    const trips = { account_key, vehicle_key: key, count, perDay, points: 1000, drives: 40, withPoints: false };
    await benchTrips(service, trips);
    const tokens = Array.from({ length: MAPS }, () => tokenOf(service, account_key, key));
    return { key, tokens: await Promise.all(tokens) };
  };
  return { day: await mapped(400, 20), thousand: await mapped(1000, 1000) };
}

async function tokenOf(service: Service, account_key: string, vehicleKey: string): Promise<string> {
  const { client_id, grant } = await benchApp(service, account_key, ['account_activity.read']);
  const claims = { sub: `vehicle:${vehicleKey}`, aud: PAGE_ORIGIN, scope: 'loc-past', client_id };
  return signTripToken(service, ISSUER, { ...claims, grant: grant.grant_hash });
}

function duel(
  what: string,
  { key, tokens }: MappedVehicle,
  { first, day, ...rest }: Pick<Duel, 'ceiling' | 'count'> & { readonly first: number; readonly day: number },
): Duel {
  const map = { url: '', token: '', vehicle_key: key, first, day };
  const { headers, body, method } = anew(tripMapRequest(map));
  return {
    ...{ what, contender: 'outlines encoded at rest', why: WHY, ...rest },
    path: { ours: '/graphql', theirs: '/trips' },
    ...{ method, body, headers: { ...headers, 'accept-encoding': 'identity' } },
    callers: tokens.map((token) => ({ authorization: `Bearer ${token}` })),
  };
}
