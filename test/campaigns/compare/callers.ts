import { ROLES, type Seed } from './seed.ts';

type Headers = Readonly<Record<string, string>>;

/** Callers of the gateway and the account API, with the headers that identify them. */
export const ACCOUNT_CALLERS = [
  'visitor',
  'owner',
  'app',
  'narrow_app',
  'restricted_app',
  'basic',
  'empty',
  'revoked',
  'unknown',
  'trip_map',
  'device',
  'forwarder',
  'two_credentials',
] as const;

/** Headers by the name of who sends them. */
export function callersOf(seed: Seed): Map<string, Headers> {
  const key = (name: string): Headers => ({ 'service-api-key': seed[name] ?? '' });
  const bearer = (name: string): Headers => ({ authorization: `Bearer ${seed[name]}` });
  const website = ROLES.map((role) => {
    const credentials = Buffer.from(`${role}:${seed[`${role}_password`]}`).toString('base64');
    return [role, { authorization: `Basic ${credentials}` }] as const;
  });
  return new Map<string, Headers>([
    ['visitor', {}],
    ['owner', key('api_key')],
    ['basic', key('basic_api_key')],
    ['empty', key('empty_api_key')],
    ['revoked', key('revoked_api_key')],
    ['unknown', { 'service-api-key': 'wb_key_unknown' }],
    ['app', bearer('app_access_token')],
    ['narrow_app', bearer('narrow_app_access_token')],
    ['restricted_app', bearer('restricted_app_access_token')],
    ['trip_map', { ...bearer('trip_token'), origin: 'https://www.example.com' }],
    ['device', bearer('van_device_key')],
    ['lorry_device', bearer('lorry_device_key')],
    ['pending_device', bearer('pending_device_key')],
    ['revoked_device', bearer('revoked_device_key')],
    ['forwarder', bearer('forwarder_key')],
    ['two_credentials', { ...key('api_key'), ...bearer('app_access_token') }],
    ...website,
  ]);
}
