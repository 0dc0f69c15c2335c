import type { GraphQLFormattedError } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { makeExecutableSchema } from '@graphql-tools/schema';

import type { Caller, RequestContext } from '../../auth/caller.ts';
import { graphqlEndpoint } from '../../graphql/endpoint/graphql-endpoint.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { type TestHost, testHost } from './test-host.ts';
import { testService } from '../services/database.ts';

class MongoNetworkError extends Error {
  override readonly name = 'MongoNetworkError';
}

const OWNER = { kind: 'owner', account_key: 'a', plan: 'premium' } as const satisfies Caller;

/** The one API key of the tests. */
export const API_KEY = 'q7Zs0dWmT1xYb3uKfPzR5hJ8vLcN2aEoGi4tQwMyU6A';

/** A schema with a field for each way in which a field can end. */
export function tinySchema(): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: `
      type Query { public: String, greeting(name: String!): String, empty: String, node: Node, group: Group, node2(first: Int): Node
        refused: String, missing: String, forbidden: String, stranger: String, listed: String!, fault: String, unreachable: String, crowded: String, number: Int }
      type Mutation { rename(name: String!): String }
      type Node { name: String, below: Node }
      type Group { missing: String }
    `,
    resolvers: {
      Query: {
        public: () => 'open',
        empty: () => null,
        group: () => ({}),
        greeting: (_source: unknown, { name }: { name: string }) => `Hello ${name}`,
        node: () => ({ name: 'top', below: { name: 'low' } }),
        refused: () => {
          throw new ServiceError('BAD_REQUEST', 'size must be a number');
        },
        missing: () => {
          throw notFound('device');
        },
        forbidden: () => {
          throw new ServiceError('FORBIDDEN', 'The token is more restrictive');
        },
        stranger: () => {
          throw new ServiceError('UNAUTHENTICATED', 'The token is for another vehicle');
        },
        listed: () => {
          throw notFound('vehicle');
        },
        fault: () => {
          throw new Error('the engine is on fire');
        },
        unreachable: () => {
          throw new MongoNetworkError('connect ECONNREFUSED 10.0.0.5:27017');
        },
        crowded: () => {
          throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
        },
        number: () => 'no number',
      },
      Group: {
        missing: () => {
          throw notFound('device');
        },
      },
      Mutation: { rename: (_source: unknown, { name }: { name: string }) => name },
    },
  });
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      field.extensions = { access: field.name === 'public' ? ['visitor'] : ['account.read'] };
    }
  }
  return schema;
}

/** Identifies the caller by API key: an owner or a visitor; throws for all others. */
async function contextOf({ headers }: { headers: Record<string, unknown> }): Promise<RequestContext> {
  switch (headers['service-api-key']) {
    case undefined:
      return { service: testService, caller: { kind: 'visitor' } };
    case API_KEY:
      return { service: testService, caller: OWNER };
    case 'poor':
      return { service: testService, caller: { ...OWNER, plan: 'basic' } };
    case 'unreachable':
      throw new MongoNetworkError('connect ECONNREFUSED 10.0.0.5:27017');
    default:
      throw new ServiceError('UNAUTHENTICATED', 'The credentials are not valid');
  }
}

/** A host with the GraphQL endpoint alone. */
export function graphqlHost(schema: GraphQLSchema = tinySchema()): Promise<TestHost> {
  return testHost([graphqlEndpoint(testService, { schema, path: '/graphql', contextOf })]);
}

/** Answer to a GraphQL request. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: { readonly data?: unknown; readonly errors?: readonly GraphQLFormattedError[] };
}

/** Parts of a GraphQL request beside the text of its operation. */
export interface Asking {
  readonly headers?: Record<string, string>;
  readonly variables?: object;
  readonly operationName?: string;
}

/** Posts an operation, as the owner unless headers say otherwise. */
export async function ask(
  { app }: TestHost,
  query: string,
  { headers = { 'service-api-key': API_KEY }, ...rest }: Asking = {},
): Promise<Answer> {
  const answer = await app.inject({ method: 'POST', url: '/graphql', headers, payload: { query, ...rest } });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}
