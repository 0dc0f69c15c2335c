import type { RestTable } from './rest-table.ts';

/** The account API, relative to `{base_url}`. Specification: section A. */
export const accountRoutes: RestTable = {
  'GET /account': { query: 'account' },
  'POST /account': { mutation: 'updateAccount', body: 'input' },
  'GET /subscriptions': { query: 'subscriptions', root: 'subscriptions' },
  'GET /devices': { query: 'devices', root: 'devices' },
  'GET /device/{key}': { query: 'device' },
  'POST /device/{key}': { mutation: 'updateDevice' },
  'GET /groups': { query: 'groups', root: 'groups' },
  'POST /groups': { mutation: 'createGroup', status: 201 },
  'GET /group/{group_key}': { query: 'group' },
};
