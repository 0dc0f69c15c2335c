import type { RestTable } from './rest-table.ts';

const named = { name: 'Office' };
const appExample = { name: 'Route planner', redirect_uris: ['https://planner.example/callback'] };
const zoneExample = { name: 'Home', point: { lat: 53.0758, lon: 8.8072 }, radius: 300 };

/** Paths for whoever administers an account: its keys, apps, privacy zones, settings and log, relative to `{base_url}`. */
export const administrationRoutes: RestTable = {
  'POST /account/retention': { mutation: 'updateRetention', example: { positions_days: 90, trips: 'keep_facts' } },
  'POST /account/trip_settings': { mutation: 'updateTripSettings', body: 'input', example: { stop_seconds: 600 } },
  'GET /subscription/{key}': { query: 'subscription' },
  'GET /api_keys': { query: 'apiKeys', root: 'api_keys' },
  'POST /api_keys': { mutation: 'issueApiKey', status: 201, example: named },
  'GET /api_key/{key}': { query: 'apiKey' },
  'POST /api_key/{key}': { mutation: 'updateApiKey', body: 'input', example: named },
  'DELETE /api_key/{key}': { mutation: 'deleteApiKey' },
  'GET /forwarder_keys': { query: 'forwarderKeys', root: 'forwarder_keys' },
  'POST /forwarder_keys': { mutation: 'issueForwarderKey', status: 201, example: named },
  'GET /forwarder_key/{key}': { query: 'forwarderKey' },
  'POST /forwarder_key/{key}': { mutation: 'updateForwarderKey', body: 'input', example: named },
  'DELETE /forwarder_key/{key}': { mutation: 'deleteForwarderKey' },
  'GET /device/{device_key}/keys': { query: 'deviceKeys', root: 'device_keys' },
  'POST /device/{device_key}/keys': {
    mutation: 'issueDeviceKey',
    status: 201,
    example: named,
  },
  'GET /device_key/{key}': { query: 'deviceKey' },
  'POST /device_key/{key}': { mutation: 'updateDeviceKey', body: 'input', example: named },
  'DELETE /device_key/{key}': { mutation: 'deleteDeviceKey' },
  'POST /device/{key}/trip_settings': {
    mutation: 'updateDeviceTripSettings',
    body: 'input',
    example: { reporter: 'phone' },
  },
  'GET /device/{device_key}/marked_positions': { query: 'markedPositions', root: 'marked_positions' },
  'GET /ingest_rejections': { query: 'ingestRejections', root: 'ingest_rejections' },
  'POST /vehicles/pair': { mutation: 'pairVehicle', body: 'input', status: 201, example: { nickname: 'Van 3' } },
  'POST /vehicle/{vehicle_key}/recut': {
    mutation: 'recutTrips',
    body: 'input',
    repeatable: true,
    example: { dry_run: true },
  },
  'GET /privacy_zones': { query: 'privacyZones', root: 'privacy_zones' },
  'POST /privacy_zones': { mutation: 'createPrivacyZone', body: 'input', status: 201, example: zoneExample },
  'GET /privacy_zone/{key}': { query: 'privacyZone' },
  'POST /privacy_zone/{key}': { mutation: 'updatePrivacyZone', body: 'input', example: { radius: 500 } },
  'DELETE /privacy_zone/{key}': { mutation: 'removePrivacyZone' },
  'GET /app_grants': { query: 'appGrants', root: 'app_grants' },
  'GET /app_grant/{key}': { query: 'appGrant' },
  'DELETE /app_grant/{key}': { mutation: 'deleteAppGrant' },
  'GET /apps': { query: 'apps', root: 'apps' },
  'POST /apps': { mutation: 'registerApp', body: 'input', status: 201, example: appExample },
  'GET /app/{client_id}': { query: 'app' },
  'POST /app/{client_id}': { mutation: 'updateApp', body: 'input', example: { name: 'Planner' } },
  'DELETE /app/{client_id}': { mutation: 'deregisterApp' },
  'POST /app/{client_id}/rotate_secret': { mutation: 'rotateAppSecret', unreadableBody: 'empty' },
  'GET /deleted_records': {
    query: 'deletedRecords',
    root: 'deleted_records',
    exampleParameters: { kind: 'vehicle' },
  },
  'GET /security_events': { query: 'securityEvents', root: 'security_events', namesObject: true },
};
