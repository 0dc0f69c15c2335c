import { MAX_NAME_LENGTH } from '../schema/check-name.ts';
import { MESSAGE_READERS } from '../tracking/ingest/message-readers.ts';

import { administrationRoutes } from './administration-routes.ts';
import { changesRoute } from './changes-route.ts';
import { ingestExample, ingestLimits } from './ingest-body.ts';
import { EXAMPLE_KEY, type RestTable } from './rest-table.ts';

/** Relations of a trip, all of which are returned by default. */
const TRIP_RELATIONS = {
  expand: { user: '{ key first_name last_name }', vehicle: '{ key nickname }', tags: '{ key color value }' },
  expandsAll: true,
} as const;

/** Limits of a text for people. */
const NAME = { minLength: 1, maxLength: MAX_NAME_LENGTH };

/** The fields of a device within its vehicle. */
const DEVICE = '{ key serial status vehicle_key is_connected disconnected_timestamp last_transmission }';

/** Relations of a vehicle. */
const VEHICLE_RELATIONS = {
  tags: '{ key color value }',
  groups: '{ key name }',
  devices: DEVICE,
  last_trip: `{
    key duration_seconds gps_distance
    start_point { point { lat lon } timestamp } end_point { point { lat lon } timestamp }
  }`,
};

const VEHICLE = { nickname: 'Van 3', plate_number: 'HB-WB 42', year: 2024, make: 'Volkswagen', model: 'Crafter' };
const webhookExample = { url: 'https://bakery.example/events', events: ['trip_start', 'trip_end'] };
const placeExample = { name: 'Depot', category: 'business', point: { lat: 53.0758, lon: 8.8072 }, radius: 150 };

/** Paths for messages of apps. */
export const messageRoutes: RestTable = Object.fromEntries(
  Object.entries(MESSAGE_READERS).flatMap(([path, { methods, mutation, deviceKey }]) =>
    Object.entries(methods).map(([method, description]) => [
      `${method} /ingest/${path}`,
      { mutation, message: 'message', deviceKey, ...description },
    ]),
  ),
);

/** The account API, relative to `{base_url}`. Specification: section A. */
export const accountRoutes: RestTable = {
  'GET /account': { query: 'account' },
  'POST /account': { mutation: 'updateAccount', body: 'input', example: { nickname: 'Corner bakery', city: 'Bremen' } },
  'GET /subscriptions': { query: 'subscriptions', root: 'subscriptions' },
  'GET /devices': { query: 'devices', root: 'devices' },
  'GET /device/{key}': { query: 'device' },
  'POST /device/{key}': {
    mutation: 'updateDevice',
    body: 'input',
    repeatable: true,
    example: { subscription_status: 'canceled' },
  },
  'POST /devices': {
    mutation: 'createDevice',
    status: 201,
    limits: { serial: NAME },
    example: { serial: 'WB-0042', vehicle_key: EXAMPLE_KEY },
  },
  'DELETE /device/{key}': { mutation: 'deleteDevice', repeatable: true },
  'POST /device/{key}/restore': { mutation: 'restoreDevice', unreadableBody: 'empty' },
  'GET /vehicles': { query: 'vehicles', root: 'vehicles', expand: VEHICLE_RELATIONS },
  'GET /vehicles/nearby': {
    query: 'nearbyVehicles',
    root: 'vehicles',
    named: { first: 'size', lon: 'long' },
    limits: {
      lat: { minimum: -90, maximum: 90 },
      long: { minimum: -180, maximum: 180 },
      size: { minimum: 1 },
    },
    exampleParameters: { lat: 53.0758, long: 8.8072 },
  },
  'POST /vehicles': { mutation: 'createVehicle', body: 'input', status: 201, example: VEHICLE },
  'GET /vehicle/{key}': { query: 'vehicle', expand: VEHICLE_RELATIONS },
  'POST /vehicle/{key}': { mutation: 'updateVehicle', body: 'input', example: { nickname: 'Van 4' } },
  'DELETE /vehicle/{key}': { mutation: 'deleteVehicle', repeatable: true },
  'POST /vehicle/{key}/restore': { mutation: 'restoreVehicle', unreadableBody: 'empty' },
  'GET /groups': { query: 'groups', root: 'groups' },
  'POST /groups': {
    mutation: 'createGroup',
    status: 201,
    limits: { name: NAME },
    example: { name: 'Night shift' },
  },
  'POST /groups/apply': {
    mutation: 'applyGroups',
    root: 'groups',
    inQuery: ['action'],
    body: 'input',
    namesObject: true,
    exampleParameters: { action: 'add' },
    example: { group_keys: [EXAMPLE_KEY], member_keys: [EXAMPLE_KEY] },
  },
  'GET /group/{group_key}': { query: 'group' },
  'POST /group/{group_key}': {
    mutation: 'updateGroup',
    body: 'input',
    repeatable: true,
    example: { name: 'Day shift' },
  },
  'DELETE /group/{group_key}': { mutation: 'deactivateGroup' },
  'GET /users': { query: 'users', root: 'users', expand: { tags: '{ key color value }', groups: '{ key name }' } },
  'POST /users': {
    mutation: 'createUser',
    body: 'input',
    status: 201,
    example: { first_name: 'Ada', last_name: 'Byron', email: 'ada@bakery.example', account_role: 'driver' },
  },
  'GET /user': { query: 'me', expand: { tags: '{ key color value }', groups: '{ key name }' } },
  'GET /user/{key}': { query: 'user', expand: { tags: '{ key color value }', groups: '{ key name }' } },
  'POST /user/{key}': { mutation: 'updateUser', body: 'input', example: { account_role: 'viewer' } },
  'DELETE /user/{key}': { mutation: 'deleteUser' },
  'POST /user/{key}/restore': { mutation: 'restoreUser', unreadableBody: 'empty' },
  'POST /user/{key}/invite': { mutation: 'inviteUser', unreadableBody: 'empty' },
  'GET /events': {
    query: 'events',
    root: 'events',
    named: { happened_after: 'after', happened_before: 'before' },
    namesObject: true,
  },
  'GET /event/{key}': { query: 'event', exampleParameters: { key: `trip_end.${EXAMPLE_KEY}` } },
  'GET /places': { query: 'places', root: 'places' },
  'POST /places': { mutation: 'createPlace', body: 'input', status: 201, example: placeExample },
  'GET /places/visits': { query: 'visits', root: 'visits', namesObject: true },
  'GET /place/{key}': { query: 'place' },
  'POST /place/{key}': { mutation: 'updatePlace', body: 'input', example: { name: 'Depot', radius: 200 } },
  'DELETE /place/{key}': { mutation: 'deletePlace' },
  'GET /stays': {
    query: 'stays',
    root: 'stays',
    named: { started_after: 'after', started_before: 'before' },
    namesObject: true,
    exampleParameters: { vehicle_key: EXAMPLE_KEY },
  },
  'GET /rules': { query: 'rules', root: 'rules' },
  'POST /rules': { mutation: 'createRule', body: 'input', status: 201, example: { name: 'Too fast', speed_limit: 75 } },
  'GET /rule/{key}': { query: 'rule' },
  'POST /rule/{key}': { mutation: 'updateRule', body: 'input', example: { name: 'Over 75 miles per hour' } },
  'DELETE /rule/{key}': { mutation: 'deleteRule' },
  'GET /shares': { query: 'shares', root: 'shares' },
  'POST /shares': {
    mutation: 'createShare',
    body: 'input',
    status: 201,
    namesObject: true,
    example: { vehicle_key: EXAMPLE_KEY, expires: '2099-12-31T18:00:00Z' },
  },
  'GET /share/{key}': { query: 'share' },
  'POST /share/{key}': { mutation: 'updateShare', body: 'input', example: { expires: '2099-12-31T12:00:00Z' } },
  'DELETE /share/{key}': { mutation: 'deleteShare' },
  'GET /webhooks': { query: 'webhooks', root: 'webhooks' },
  'POST /webhooks': { mutation: 'createWebhook', body: 'input', status: 201, example: webhookExample },
  'GET /webhook/{key}': { query: 'webhook' },
  'POST /webhook/{key}': { mutation: 'updateWebhook', body: 'input', example: { status: 'paused' } },
  'DELETE /webhook/{key}': { mutation: 'deleteWebhook' },
  'POST /webhook/{key}/rotate_secret': { mutation: 'rotateWebhookSecret', unreadableBody: 'empty' },
  'POST /webhook/{key}/test': { mutation: 'testWebhook', unreadableBody: 'empty', repeatable: true },
  'POST /webhook/{key}/replay': {
    mutation: 'replayWebhook',
    body: 'input',
    namesObject: true,
    example: { since: '2026-11-24T00:00:00Z' },
  },
  'GET /webhook/{webhook_key}/deliveries': { query: 'webhookDeliveries', root: 'deliveries' },
  'POST /ingest': { mutation: 'ingest', namesObject: true, limits: ingestLimits, example: ingestExample },
  ...messageRoutes,
  'GET /trips': {
    query: 'trips',
    root: 'trips',
    size: 10,
    fixed: { newest_first: true },
    namesObject: true,
    ...TRIP_RELATIONS,
  },
  'GET /trip/{key}': { query: 'trip', ...TRIP_RELATIONS },
  'POST /trip/{key}': {
    mutation: 'updateTrip',
    body: 'input',
    example: { tags: [EXAMPLE_KEY], user_key: EXAMPLE_KEY },
    ...TRIP_RELATIONS,
  },
  'GET /trip/{trip_key}/points': { query: 'tripPoints', root: 'trip_points', size: 200 },
  'GET /tags': { query: 'tags', root: 'tags' },
  'POST /tags': {
    mutation: 'createTag',
    body: 'input',
    status: 201,
    example: { value: 'Delivery', type: 'Trip', color: '#2f6f4f' },
  },
  'GET /tag/{key}': { query: 'tag' },
  'POST /tag/{key}': { mutation: 'updateTag', body: 'input', example: { color: '#8a63d2' } },
  'DELETE /tag/{key}': { mutation: 'deleteTag' },
  'POST /tag/{key}/apply': {
    mutation: 'applyTag',
    inQuery: ['action'],
    body: 'input',
    example: { entity_keys: [EXAMPLE_KEY] },
  },
  'GET /trip/{key}.gpx': { query: 'exportTripAsGpx', mediaType: 'application/gpx+xml' },
  'GET /trip/{key}.geojson': { query: 'exportTripAsGeoJson', mediaType: 'application/geo+json' },
  'POST /vehicle/{vehicle_key}/imports': {
    mutation: 'importTrips',
    file: 'file',
    fileExample:
      '<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>' +
      '<trkpt lat="53.0758" lon="8.8072"><time>2026-03-01T12:00:00Z</time></trkpt></trkseg></trk></gpx>',
    status: 202,
  },
  'GET /import/{key}': { query: 'tripImport' },
  'DELETE /import/{key}': { mutation: 'cancelTripImport' },
  'GET /changes': changesRoute,
  ...administrationRoutes,
};
