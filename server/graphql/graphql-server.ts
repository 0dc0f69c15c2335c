import {
  ApolloServer,
  type ApolloServerOptions,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type BaseContext,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { FastifyBaseLogger } from 'fastify';
import { type DocumentNode, GraphQLError, type GraphQLSchema, type ValidationRule } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { RequestContext } from '../../auth/caller.ts';
import { plannedOperation } from '../../resolvers/execution/plan-operation.ts';
import { stringifyInSlices } from '../../resolvers/scheduling/stringify-in-slices.ts';

import { RETRY_AFTER } from '../../http/answers/database-unreachable.ts';
import { accessPlugin } from './graphql-access.ts';
import { errorKindOf, showError, statusOf } from './graphql-errors.ts';
import { GRAPHQL_LIMITS, limitsRule } from './graphql-limits.ts';
import { CACHING, type Caching, cachingPlugin } from './response-cache.ts';

/** Key of the request's log in its context; resolvers see a {@link RequestContext} without it. */
export const REQUEST_LOG = Symbol('request log');

/** Maximum text of all cached operations, in characters; a parsed one takes eighty times the memory of its text. */
const MAX_TEXT = 64 * 1024;

/** The context of an operation while it is executed. */
export interface OperationContext extends RequestContext {
  readonly [REQUEST_LOG]: FastifyBaseLogger;
  readonly [CACHING]: Caching;
}

/**
 * Makes the Apollo Server: with authorization and limits, without batches and reports; faults are masked and logged.
 *
 * @param log for events outside a request
 */
export function createGraphqlServer(schema: GraphQLSchema, log: FastifyBaseLogger): ApolloServer<OperationContext> {
  return new ApolloServer<OperationContext>({
    gateway: plannedExecution(schema),
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    documentStore: parsedDocuments(),
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: GRAPHQL_LIMITS.tokens },
    validationRules: [knownOperationTypesRule, limitsRule],
    formatError: showError,
    // With the line feed of Apollo Server's answers.
    stringifyResult: async (answer) => `${await stringifyInSlices(answer)}\n`,
    logger: loggerOf(log),
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      accessPlugin,
      cachingPlugin,
      faultPlugin(log),
    ],
  });
}

/** Executes operations by their plans; Apollo Server lets only a gateway execute in its place. */
function plannedExecution(schema: GraphQLSchema): ApolloServerOptionsWithGateway<OperationContext>['gateway'] {
  return {
    load: async () => ({
      executor: async ({ document, request, context }) =>
        plannedOperation(schema, document, request.operationName ?? null)(request.variables ?? {}, context),
    }),
    onSchemaLoadOrUpdate: (use) => {
      use({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    stop: async () => undefined,
  };
}

/** Rejects an operation without a root type, such as a subscription, before execution (GraphQL, section 5.2.1). */
const knownOperationTypesRule: ValidationRule = (context) => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    const message = `The ${node.operation} operation is not supported by the schema.`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  },
});

/** Logs faults once, under the id of their request, and gives them their HTTP status. */
function faultPlugin(log: FastifyBaseLogger): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: async () => ({
      didEncounterErrors: async ({ errors, contextValue }) => {
        for (const error of errors.filter((one) => ['fault', 'unreachable'].includes(errorKindOf(one)))) {
          contextValue[REQUEST_LOG].error({ err: error.originalError ?? error, path: error.path }, 'fault');
        }
      },
      willSendResponse: async ({ errors, response }) => {
        const status = errors && statusOf(errors);
        if (status !== undefined) response.http.status = status;
        if (status === 503) response.http.headers.set('retry-after', RETRY_AFTER);
      },
    }),
    unexpectedErrorProcessingRequest: async ({ error }) => log.error({ err: error }, 'fault'),
  };
}

function loggerOf(log: FastifyBaseLogger) {
  return {
    debug: (message: unknown) => log.debug(String(message)),
    info: (message: unknown) => log.info(String(message)),
    warn: (message: unknown) => log.warn(String(message)),
    error: (message: unknown) => log.error(String(message)),
  };
}

/** Makes the store of parsed operations, which evicts the least recently used first. */
function parsedDocuments(): NonNullable<ApolloServerOptions<BaseContext>['documentStore']> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_TEXT,
    sizeCalculation: ({ loc }) => loc?.source.body.length || MAX_TEXT,
  });
  return {
    get: async (hash) => documents.get(hash),
    set: async (hash, document) => {
      documents.set(hash, document);
    },
    delete: async (hash) => documents.delete(hash),
  };
}
