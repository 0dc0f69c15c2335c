import { type ExecutionResult, graphql, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { expect, test } from 'vitest';

import { authorize, guard } from '../../auth/access.ts';
import type { Caller, Permission, RequestContext } from '../../auth/caller.ts';
import type { Service } from '../../models/store/service.ts';

const service = {} as Service;
const OWNER: Caller = { kind: 'owner', account_key: 'a', plan: 'premium' };
const VISITOR: Caller = { kind: 'visitor' };

/** A schema with the root field `secret` and the record field `record.hidden`, each under the given permissions. */
function schemaOf(secret?: readonly Permission[], hidden?: readonly Permission[]): GraphQLSchema {
  const record = new GraphQLObjectType({
    name: 'Record',
    fields: { hidden: { type: GraphQLString, extensions: { access: hidden }, resolve: () => 'hidden' } },
  });
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: {
      secret: { type: GraphQLString, extensions: { access: secret }, resolve: () => 'secret' },
      record: { type: record, extensions: { access: ['visitor'] }, resolve: () => ({}) },
    },
  });
  return new GraphQLSchema({ query });
}

function ask(schema: GraphQLSchema, context: RequestContext): Promise<ExecutionResult> {
  return graphql({ schema, source: '{ secret }', contextValue: context });
}

test.each([
  ['a root field without permissions', undefined, undefined, 'Query.secret'],
  ['a root field with an empty list of permissions', [], undefined, 'Query.secret'],
  ['a record field with an empty list of permissions', ['owner'] as const, [], 'Record.hidden'],
])('%s stops the start', (_, secret, hidden, name) => {
  expect(() => guard(schemaOf(secret, hidden))).toThrow(`${name} has no access rule: add @Access`);
});

test('a root field is not executed unless its permission was decided before, not even for an owner', async () => {
  const schema = guard(schemaOf(['owner']));
  const { data, errors } = await ask(schema, { service, caller: OWNER });
  expect(data).toEqual({ secret: null });
  expect(errors?.[0]?.message).toBe('secret is executed without authorization');
});

test('a decision opens the field that it is about, for the request that it is about', async () => {
  const schema = guard(schemaOf(['owner']));
  const { secret, record } = schema.getQueryType()?.getFields() ?? {};
  if (!secret || !record) throw new TypeError('The schema lacks its fields');
  const context = { service, caller: OWNER };
  authorize(context, record);
  expect((await ask(schema, context)).data).toEqual({ secret: null });
  authorize(context, secret);
  expect((await ask(schema, context)).data).toEqual({ secret: 'secret' });
  expect((await ask(schema, { service, caller: OWNER })).data).toEqual({ secret: null });
});

test('a caller without the permission is rejected: 401 for a visitor, 403 for anybody else', () => {
  const field = { name: 'secret', extensions: { access: ['owner'] } };
  expect(() => authorize({ service, caller: VISITOR }, field)).toThrow(
    expect.objectContaining({ code: 'UNAUTHENTICATED' }),
  );
  const forwarder: Caller = {
    kind: 'forwarder',
    creates_devices: false,
    account_key: 'a',
    zones: [],
    places_revision: 0,
    rules_revision: 0,
    retention_days: null,
    trip_settings: null,
  };
  expect(() => authorize({ service, caller: forwarder }, field)).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN' }),
  );
});

test('a field without permissions is open to nobody', () => {
  expect(() => authorize({ service, caller: OWNER }, { name: 'secret', extensions: {} })).toThrow(
    'secret has no access rule',
  );
});
