import { SUBSCRIPTION_STATUSES } from '../schema/vehicles/device.ts';
import { MAX_NAME_LENGTH } from '../schema/name-length.ts';

import { ingestExample, ingestLimits } from './ingest-body.ts';
import type { RestTable } from './rest-table.ts';

/** The account API, relative to `{base_url}`. Specification: section A. */
export const accountRoutes: RestTable = {
  'GET /account': { query: 'account' },
  'POST /account': { mutation: 'updateAccount', body: 'input', example: { nickname: 'Corner bakery', city: 'Bremen' } },
  'GET /subscriptions': { query: 'subscriptions', root: 'subscriptions' },
  'GET /devices': { query: 'devices', root: 'devices' },
  'GET /device/{key}': { query: 'device' },
  'POST /device/{key}': {
    mutation: 'updateDevice',
    limits: { subscription_status: { enum: SUBSCRIPTION_STATUSES } },
    example: { subscription_status: 'canceled' },
  },
  'GET /groups': { query: 'groups', root: 'groups' },
  'POST /groups': {
    mutation: 'createGroup',
    status: 201,
    limits: { name: { minLength: 1, maxLength: MAX_NAME_LENGTH } },
    example: { name: 'Night shift' },
  },
  'GET /group/{group_key}': { query: 'group' },
  'POST /ingest': { mutation: 'ingest', namesObject: true, limits: ingestLimits, example: ingestExample },
  'GET /trip/{key}.gpx': { query: 'exportTripAsGpx', mediaType: 'application/gpx+xml' },
  'GET /trip/{key}.geojson': { query: 'exportTripAsGeoJson', mediaType: 'application/geo+json' },
};
