import type { FastifyInstance } from 'fastify';

import { entityTag } from '../../http/answers/conditional.ts';

import { answerNotFound, demandOwner } from './contender-host.ts';
import type { ContenderRecords } from './contender-records.ts';

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
    },
    { prefix: '/api/v2' },
  );
}
