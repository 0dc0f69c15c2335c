import type { FastifyInstance } from 'fastify';

import { entityTag } from '../../http/answers/conditional.ts';

import { answerNotFound, demandOwner } from './contender-host.ts';
import type { ContenderPlaceInput, ContenderRecords } from './contender-records.ts';

const TEXT = { type: 'string' } as const;
const TEXT_OR_NULL = { type: ['string', 'null'] } as const;
const DEVICE = {
  $id: 'Device',
  type: 'object',
  properties: {
    ...{ key: TEXT, serial: TEXT, status: TEXT, vehicle_key: TEXT_OR_NULL, is_connected: { type: 'boolean' } },
    ...{ disconnected_timestamp: TEXT_OR_NULL, last_transmission: TEXT_OR_NULL },
  },
};
const COUNTS = { type: 'object', properties: { car: { type: 'integer' }, user: { type: 'integer' } } };
const GROUP = {
  $id: 'Group',
  type: 'object',
  properties: {
    ...{ key: TEXT, name: TEXT, active: { type: 'boolean' } },
    parent_group_key: TEXT_OR_NULL,
    children: { type: 'array', items: { $ref: 'Group#' } },
    ...{ member_counts: COUNTS, tree_depth: { type: 'integer' }, created: TEXT, updated: TEXT },
  },
};
const [NUMBER, FLAG] = [{ type: 'number' }, { type: 'boolean' }];
const POINT = { type: 'object', required: ['lat', 'lon'], properties: { lat: NUMBER, lon: NUMBER } };
const PLACE = {
  type: 'object',
  properties: {
    ...{
      key: TEXT,
      name: TEXT,
      category: TEXT,
      point: POINT,
      radius: NUMBER,
      polygon: { type: 'array', items: POINT },
    },
    ...{ border_meters: NUMBER, border_seconds: NUMBER, dwell_seconds: NUMBER },
    ...{ active_weekdays: { type: 'array', items: NUMBER }, from_time: TEXT_OR_NULL, to_time: TEXT_OR_NULL },
    ...{ time_zone: TEXT, notifying_arrival: FLAG, notifying_departure: FLAG, created: TEXT, updated: TEXT },
  },
};
const SHARE = {
  type: 'object',
  properties: {
    ...{ key: TEXT, vehicle_key: TEXT, group_key: TEXT_OR_NULL, trip_key: TEXT_OR_NULL, expires: TEXT },
    ...{ ends_with_trip: FLAG, opened_count: NUMBER, last_opened: TEXT_OR_NULL },
    ...{ embeddings: { type: 'array', items: TEXT }, embeds_live: FLAG, created: TEXT, updated: TEXT },
    ...{ url: TEXT, embed_url: TEXT_OR_NULL },
  },
};
const DEVICES = {
  type: 'object',
  properties: { devices: { type: 'array', items: { $ref: 'Device#' } }, cursor: TEXT },
};
const GROUPS = { type: 'object', properties: { groups: { type: 'array', items: { $ref: 'Group#' } } } };
const FAULT = { type: 'object', properties: { errors: TEXT } };
const PAGE = { type: 'object', properties: { size: { type: 'integer', minimum: 1 }, cursor: TEXT } };
const NEW_GROUP = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1, maxLength: 255 }, parent_group_key: TEXT },
};

const NEW_DEVICE = {
  type: 'object',
  required: ['serial'],
  properties: { serial: { type: 'string', minLength: 1, maxLength: 255 } },
};
const NEW_PLACE = {
  type: 'object',
  required: ['name', 'point', 'radius'],
  properties: { name: NEW_GROUP.properties.name, point: POINT, radius: { ...NUMBER, minimum: 1, maximum: 100_000 } },
};
const NEW_SHARE = {
  type: 'object',
  required: ['vehicle_key', 'expires'],
  properties: { vehicle_key: TEXT, expires: { type: 'string', format: 'date-time' } },
};

/** Adds paths of the account API by hand: serializers made from schemas, nothing between a route and its look-ups. */
export async function addRestContender(root: FastifyInstance, records: ContenderRecords): Promise<void> {
  root.addSchema(DEVICE).addSchema(GROUP);
  await root.register(
    async (app) => {
      app.addHook('onRequest', (request, reply, done) => {
        if (request.method === 'GET') reply.header('Access-Control-Allow-Origin', '*');
        if (request.method === 'GET')
          reply.header(
            'Access-Control-Expose-Headers',
            'ETag, Deprecation, Sunset, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
          );
        done();
      });
      app.addHook('onSend', async (request, reply, payload) => {
        const status = request.method === 'GET' ? 200 : 201;
        if (reply.statusCode !== status || typeof payload !== 'string') return payload;
        const tag = entityTag(payload);
        reply.header('ETag', tag);
        if (request.headers['if-none-match'] !== tag) return payload;
        reply.code(304);
        return '';
      });
      demandOwner(app, records);
      const accountOf = (owner: { readonly account_key: string } | null) => owner?.account_key ?? '';
      app.get('/device/:key', { schema: { response: { 200: { $ref: 'Device#' } } } }, async (request, reply) => {
        const { key } = request.params as { readonly key: string };
        return (await records.device(accountOf(request.owner), key)) ?? answerNotFound(reply);
      });
      app.get(
        '/devices',
        { schema: { querystring: PAGE, response: { 200: DEVICES, 400: FAULT } } },
        async (request, reply) => {
          const { size = 50, cursor } = request.query as { readonly size?: number; readonly cursor?: string };
          const page = await records.devices(accountOf(request.owner), Math.min(size, 200), cursor);
          if (!page) return reply.code(400).send({ errors: 'cursor was not returned by this list' });
          return page.cursor === null ? { devices: page.devices } : page;
        },
      );
      app.get('/groups', { schema: { response: { 200: GROUPS } } }, async ({ owner }) => {
        return { groups: await records.groups(accountOf(owner)) };
      });
      app.post(
        '/groups',
        { schema: { body: NEW_GROUP, response: { 201: { $ref: 'Group#' }, 400: FAULT } } },
        async (request, reply) => {
          const { name, parent_group_key } = request.body as {
            readonly name: string;
            readonly parent_group_key?: string;
          };
          const group = await records.createGroup(accountOf(request.owner), name, parent_group_key);
          if (!group) return reply.code(400).send({ errors: 'parent_group_key must name an active group' });
          return reply.code(201).send(group);
        },
      );
      app.post(
        '/devices',
        { schema: { body: NEW_DEVICE, response: { 201: { $ref: 'Device#' }, 400: FAULT } } },
        async (request, reply) => {
          const { serial } = request.body as { readonly serial: string };
          const device = await records.createDevice(accountOf(request.owner), serial);
          if (!device) return reply.code(400).send({ errors: 'serial is taken by another device of the account' });
          return reply.code(201).send(device);
        },
      );
      app.post(
        '/places',
        { schema: { body: NEW_PLACE, response: { 201: PLACE, 400: FAULT } } },
        async (request, reply) => {
          const place = await records.createPlace(accountOf(request.owner), request.body as ContenderPlaceInput);
          if (!place) return reply.code(400).send({ errors: 'An account has at most 10000 places' });
          return reply.code(201).send(place);
        },
      );
      app.post(
        '/shares',
        { schema: { body: NEW_SHARE, response: { 201: SHARE, 400: FAULT } } },
        async (request, reply) => {
          const { vehicle_key, expires } = request.body as { readonly vehicle_key: string; readonly expires: string };
          const share = await records.createShare(accountOf(request.owner), vehicle_key, new Date(expires));
          if (!share) return reply.code(400).send({ errors: 'vehicle_key must name a vehicle that can be shared' });
          return reply.code(201).send({ ...share, url: `https://localhost/s/${share.secret}`, embed_url: null });
        },
      );
    },
    { prefix: '/api/v2' },
  );
}
