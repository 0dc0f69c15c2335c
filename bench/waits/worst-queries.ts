import type { LoadRequest } from '../https-load.ts';
import { anew } from '../trips/trip-map-request.ts';
import { graphqlRequest, pageRequest, restRequest, type Sender } from './send-requests.ts';

/** Objects that requests name. */
export interface QueryTargets extends Sender {
  /** A part that few serials have. */
  readonly rarePart: string;
  /** A trip of many positions. */
  readonly longTripKey: string;
  /** Key of a device that sends its positions. */
  readonly ingestKey: string;
  /** A vehicle into which files are imported. */
  readonly importVehicle: string;
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
const IMPORTED_POSITIONS = 20_000;
const POINT = '{"point":{"lat":53.1,"lon":8.8%n},"timestamp":"%t","heading":90,"speed":18.6}';

/** The legitimate requests that are the most work, by what a row of the bench calls them. */
export function worstQueries(targets: QueryTargets): Readonly<Record<string, LoadRequest>> {
  const { rarePart, longTripKey, ingestKey, importVehicle, tripMap } = targets;
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
    'GET /trip/{key}.geojson of 100,000 positions': restRequest(targets, `/trip/${longTripKey}.geojson`),
    'POST /ingest': {
      ...restRequest(targets, '/ingest'),
      method: 'POST',
      headers: { authorization: `Bearer ${ingestKey}`, 'content-type': 'application/json' },
      body: `{"points":[${POINT}]}`,
    },
    'POST /vehicle/{key}/imports each second': {
      ...restRequest(targets, `/vehicle/${importVehicle}/imports`),
      method: 'POST',
      body: gpxOf(IMPORTED_POSITIONS),
      status: 202,
      everyMs: 1000,
    },
  };
}

/** A file of a drive at times that no other file has. */
function gpxOf(positions: number): string {
  const points = Array.from({ length: positions }, (_, number) => {
    return `<trkpt lat="53.1" lon="${(8 + number / 10_000).toFixed(4)}"><time>%t</time></trkpt>`;
  });
  return `<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`;
}

/** Feeds, searches, lists and pages of the website, computed each time. */
const CONTENT = {
  'the front page': '/?anew=%n',
  'a search of the website': '/?s=unmatched&anew=%n',
  'a common search of the website': '/?s=paragraph&anew=%n',
  'the feed': '/feed/?anew=%n',
  'the feed of comments': '/comments/feed/?anew=%n',
  'the sitemap': '/wp-sitemap.xml?anew=%n',
  'a page of an archive': '/2020/01/page/5/?anew=%n',
  ...Object.fromEntries(
    ['posts', 'pages', 'media', 'comments', 'users', 'categories', 'tags', 'types', 'statuses', 'taxonomies'].map(
      (name) => [`GET /wp-json/wp/v2/${name}`, `/wp-json/wp/v2/${name}?per_page=100&anew=%n`],
    ),
  ),
  'GET /wp-json/wp/v2/posts?_embed': '/wp-json/wp/v2/posts?per_page=100&_embed&anew=%n',
  'GET /wp-json/wp/v2/posts?search=': '/wp-json/wp/v2/posts?search=unmatched&anew=%n',
  'GET /wp-json/wp/v2/posts?search= with a common word': '/wp-json/wp/v2/posts?per_page=100&search=paragraph&anew=%n',
  'GET /wp-json/': '/wp-json/?anew=%n',
} satisfies Readonly<Record<string, string>>;

/** Requests for the website, by what a row of the bench calls them. */
export function contentQueries(sender: Pick<Sender, 'base'>, postPath: string): Readonly<Record<string, LoadRequest>> {
  const paths = { ...CONTENT, 'the page of a post': `${postPath}?anew=%n` };
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, pageRequest(sender, path)]));
}
