import type { LoadRequest } from '../https-load.ts';
import { anew } from '../trips/trip-map-request.ts';

/** Objects that requests name. */
export interface QueryTargets {
  /** Address of the service, without a path. */
  readonly base: string;
  readonly apiKey: string;
  /** A part that few serials have. */
  readonly rarePart: string;
  /** A trip of many positions. */
  readonly longTripKey: string;
  /** Key of a device that sends its positions. */
  readonly ingestKey: string;
  /** The request of a map for a thousand trips. */
  readonly tripMap: LoadRequest;
}

const GROUPS = `{ groups { ...own children { ...own children { ...own children { ...own children { ...own } } } } } }
fragment own on Group { key name active tree_depth member_counts { car user } }`;
const DEVICES = '{ devices(first: 1000) { nodes { key serial status is_connected last_transmission vehicle_key } } }';
/** Pages of all groups: rejected with what to make smaller if an account has many. */
const VEHICLES_OF_GROUPS = '{ groups { key vehicles(first: 1000) { nodes { key nickname } } } }';
const TRIPS_OF_GROUPS = '{ groups { vehicles(first: 60) { nodes { trips(first: 1) { nodes { key } } } } } }';
/** Nearly as much as an operation may cost. */
const TRIPS_OF_VEHICLES = '{ vehicles(first: 200) { nodes { trips(first: 3) { nodes { key } } } } }';
const POINT = '{"point":{"lat":53.1,"lon":8.8%n},"timestamp":"%t","heading":90,"speed":18.6}';

/** The legitimate requests that are the most work, by what a row of the bench calls them. */
export function worstQueries(targets: QueryTargets): Readonly<Record<string, LoadRequest>> {
  const { rarePart, longTripKey, ingestKey, tripMap } = targets;
  return {
    'GET /devices?q= with a rare part': restRequest(targets, `/devices?q=${rarePart}`),
    'GET /devices?q= with a common part': restRequest(targets, '/devices?q=1&size=200'),
    'GET /devices?q= with a part that no serial has': restRequest(targets, '/devices?q=DEADBEEF'),
    'GET /devices of the largest size': restRequest(targets, '/devices?size=1000'),
    'GET /subscriptions': restRequest(targets, '/subscriptions'),
    'GET /groups': restRequest(targets, '/groups'),
    'groups by GraphQL': graphqlRequest(targets, GROUPS),
    'the vehicles of all groups by GraphQL': { ...graphqlRequest(targets, VEHICLES_OF_GROUPS), status: 400 },
    'the trips of the vehicles of all groups by GraphQL': { ...graphqlRequest(targets, TRIPS_OF_GROUPS), status: 400 },
    'the trips of 200 vehicles by GraphQL': graphqlRequest(targets, TRIPS_OF_VEHICLES),
    '1,000 devices by GraphQL': graphqlRequest(targets, DEVICES),
    'the map of 1,000 trips': anew(tripMap),
    'GET /trip/{key}.gpx of 100,000 positions': restRequest(targets, `/trip/${longTripKey}.gpx`),
    'GET /wp-json/wp/v2/posts?search=': { ...GET, url: `${targets.base}/wp-json/wp/v2/posts?search=unmatched` },
    'POST /ingest': {
      ...restRequest(targets, '/ingest'),
      method: 'POST',
      headers: { authorization: `Bearer ${ingestKey}`, 'content-type': 'application/json' },
      body: `{"points":[${POINT}]}`,
    },
  };
}

const GET = { method: 'GET', headers: { 'accept-encoding': 'br, gzip' }, body: '', count: 0, concurrency: 1 } as const;

/** A GET of the account API. */
export function restRequest({ base, apiKey }: Pick<QueryTargets, 'base' | 'apiKey'>, path: string): LoadRequest {
  return { ...GET, url: `${base}/api/v2${path}`, headers: { ...GET.headers, 'service-api-key': apiKey } };
}

function graphqlRequest({ base, apiKey }: QueryTargets, query: string): LoadRequest {
  const headers = { ...GET.headers, 'service-api-key': apiKey, 'content-type': 'application/json' };
  return { ...GET, method: 'POST', url: `${base}/graphql`, headers, body: JSON.stringify({ query }) };
}
