import { channel } from 'node:diagnostics_channel';
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
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../auth/caller.ts';
import { plannedOperation } from '../execution/plan-operation.ts';
import { stringifyInSlices } from '../execution/stringify-in-slices.ts';
import { inSpan, type SpanOptions } from '../../http/observing/tracing.ts';
import { RETRY_AFTER } from '../../http/answers/database-unreachable.ts';
import { accessPlugin } from './graphql-access.ts';
import type { EventSource } from './event-stream.ts';
import { formerVariablesPlugin } from './former-variables.ts';
import { errorKindOf, showError, statusOf } from './graphql-errors.ts';
import { GRAPHQL_LIMITS } from './graphql-limits.ts';
import { costErrorOf, LIMITS } from './limited-operation.ts';
import { type Caching, CACHING, cachingPlugin } from './response-cache.ts';
import {
  nameOfSent,
  SENT_DOCUMENT,
  type SentDocument,
  sentDocumentPlugin,
  type ServedDocuments,
} from './sent-document.ts';
import type { TrustedDocuments } from './trusted-documents.ts';
import { type SentOperation, usedCoordinates } from './used-coordinates.ts';
import { VALIDATION_RULES } from './validation-rules.ts';

/** Key of the request's log in its context; resolvers see a {@link RequestContext} without it. */
export const REQUEST_LOG = Symbol('request log');

/** Key of the {@link SubscribedEvents} in an operation's context. */
export const EVENTS = Symbol('events');

/** The events of an operation that is a subscription. */
export interface SubscribedEvents {
  /** True if the client accepts a stream. */
  readonly isAccepted: boolean;
  /** Number of the changes of permissions before the caller was identified. */
  readonly known: number;
  /** Null until the operation is executed, and for other operations. */
  source: EventSource | null;
}

/** Maximum text of all cached operations, in characters; a parsed one takes eighty times the memory of its text. */
const MAX_TEXT = 64 * 1024;
/** Maximum text of all automatic persisted queries, in characters. */
const MAX_PERSISTED_TEXT = 1024 * 1024;

/** The context of an operation while it is executed. */
export interface OperationContext extends RequestContext {
  readonly [REQUEST_LOG]: FastifyBaseLogger;
  readonly [CACHING]: Caching;
  readonly [EVENTS]: SubscribedEvents;
  readonly [SENT_DOCUMENT]: SentDocument;
}

/**
 * Makes the Apollo Server: with authorization and limits, without batches and reports; faults are masked and logged.
 *
 * @param log for events outside a request
 */
export function createGraphqlServer(
  schema: GraphQLSchema,
  { trusted, automatic }: ServedDocuments,
  log: FastifyBaseLogger,
): ApolloServer<OperationContext> {
  return new ApolloServer<OperationContext>({
    gateway: plannedExecution(schema),
    introspection: true,
    // Browsers send no credentials by themselves: a page that makes a browser send a request acts as a visitor.
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    persistedQueries: automatic && { cache: persistedQueries(), ttl: null },
    documentStore: parsedDocuments(trusted),
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: GRAPHQL_LIMITS.tokens },
    validationRules: [...VALIDATION_RULES],
    formatError: showError,
    // With the line feed of Apollo Server's answers.
    stringifyResult: async (answer) => `${await stringifyInSlices(answer)}\n`,
    logger: loggerOf(log),
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      sentDocumentPlugin,
      formerVariablesPlugin(schema),
      streamByGetPlugin,
      accessPlugin,
      cachingPlugin,
      measuringPlugin,
      faultPlugin(log),
    ],
  });
}

/** Executes operations by their plans; Apollo Server lets only a gateway replace its execution. */
function plannedExecution(schema: GraphQLSchema): ApolloServerOptionsWithGateway<OperationContext>['gateway'] {
  return {
    load: async () => ({
      executor: async ({ document, request: { operationName = null, variables = {} }, context }) => {
        const operation = { schema, document, operationName, variableValues: variables };
        const error = await costErrorOf(operation, context as OperationContext);
        if (error) return { errors: [error] };
        noteUse(operation, context as OperationContext);
        if (getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION) {
          return subscribe(operation, context as OperationContext);
        }
        const { [SENT_DOCUMENT]: sent } = context as OperationContext;
        return inSpan(spanOf(document, operationName, sent), () =>
          plannedOperation(schema, document, operationName)(variables, context, undefined, WRITTEN),
        );
      },
    }),
    onSchemaLoadOrUpdate: (use) => {
      use({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    stop: async () => undefined,
  };
}

/** Limits of operations whose answers `stringifyResult` writes. */
const WRITTEN = { ...LIMITS, writesRecords: true } as const;

/** Notes what an operation uses, which is counted when it is answered. */
function noteUse(operation: SentOperation, context: OperationContext): void {
  const { [CACHING]: caching, [SENT_DOCUMENT]: sent } = context;
  const used = usedCoordinates(operation);
  caching.used = sent.trusted === null ? used : used.with([`document ${nameOfSent(sent)}`]);
}

/** The span of an operation; its name is that of a trusted document. */
function spanOf(
  document: DocumentNode,
  operationName: string | null,
  sent: SentDocument,
): SpanOptions<ExecutionResult> {
  const type = getOperationAST(document, operationName)?.operation ?? 'query';
  const name = nameOfSent(sent);
  return {
    name: `${type} ${name}`,
    attributes: { 'graphql.operation.type': type, 'graphql.operation.name': name },
    faultOf: ({ errors = [] }) => (errors.some(isFault) ? 'fault' : null),
  };
}

/** Allows GET for subscriptions, as in the protocol of graphql-sse; Apollo Server allows it only for queries. */
const streamByGetPlugin: ApolloServerPlugin<OperationContext> = {
  requestDidStart: async ({ request: { http }, contextValue }) => {
    if (http?.method !== 'GET' || !contextValue[EVENTS].isAccepted) return;
    return {
      didResolveSource: async () => {
        http.method = 'POST';
      },
      didResolveOperation: async ({ operation }) => {
        if (operation?.operation !== OperationTypeNode.MUTATION) return;
        const extensions = { code: 'BAD_REQUEST', http: { status: 405 } };
        throw new GraphQLError('GET requests do not support mutation operations', { extensions });
      },
    };
  },
};

/** Starts a subscription: its events are put into the context, from which the endpoint sends them. */
async function subscribe(
  operation: Omit<ExecutionArgs, 'contextValue'>,
  context: OperationContext,
): Promise<ExecutionResult> {
  const { schema, document, operationName = null, variableValues = {} } = operation;
  if (!context[EVENTS].isAccepted) {
    const message = 'Subscriptions are answered by a stream; send Accept: text/event-stream';
    return { errors: [new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } })] };
  }
  const events = await createSourceEventStream({ ...operation, contextValue: context });
  if (!(Symbol.asyncIterator in events)) return events;
  const execute = plannedOperation(schema, document, operationName);
  context[EVENTS].source = {
    events: events[Symbol.asyncIterator](),
    execute: async (event) => shown(await execute(variableValues ?? {}, context, event, LIMITS), context[REQUEST_LOG]),
  };
  return { data: null };
}

/** The result for an event, its faults logged and masked. */
function shown({ data, errors }: ExecutionResult, log: FastifyBaseLogger): object {
  if (!errors) return { data };
  logFaults(errors, log);
  return { errors: errors.map((error) => showError(error.toJSON(), error)), data };
}

function isFault(error: GraphQLError): boolean {
  return ['fault', 'unreachable'].includes(errorKindOf(error));
}

function logFaults(errors: readonly GraphQLError[], log: FastifyBaseLogger): void {
  for (const error of errors.filter(isFault)) {
    log.error({ err: error.originalError ?? error, path: error.path }, 'fault');
  }
}

/** An operation that was answered, for metrics. */
export interface AnsweredOperation {
  /** The name of a trusted document; others are counted together, since clients may send any number of names. */
  readonly operation: string;
  readonly type: 'query' | 'mutation' | 'subscription' | 'unknown';
  readonly outcome: 'answered' | 'rejected' | 'fault';
  readonly seconds: number;
}

/** Reports to metrics each {@link AnsweredOperation}; of a subscription when it has begun. */
export const operationAnswered = channel('waybridge:operation-answered');

const measuringPlugin: ApolloServerPlugin<OperationContext> = {
  requestDidStart: async () => {
    if (!operationAnswered.hasSubscribers) return {};
    const begin = performance.now();
    return {
      willSendResponse: async ({ operation, errors = [], contextValue }) => {
        operationAnswered.publish({
          operation: nameOfSent(contextValue[SENT_DOCUMENT]),
          type: operation?.operation ?? 'unknown',
          outcome: errors.length === 0 ? 'answered' : errors.some(isFault) ? 'fault' : 'rejected',
          seconds: (performance.now() - begin) / 1000,
        } satisfies AnsweredOperation);
      },
    };
  },
};

/** Logs faults once, under the id of their request, and gives them their HTTP status. */
function faultPlugin(log: FastifyBaseLogger): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: async () => ({
      didEncounterErrors: async ({ errors, contextValue }) => {
        logFaults(errors, contextValue[REQUEST_LOG]);
      },
      willSendResponse: async ({ errors, response }) => {
        if (!errors || response.body.kind !== 'single') return;
        const { singleResult } = response.body;
        const status = statusOf(errors, singleResult.data);
        if (status !== undefined) response.http.status = status;
        if (status === 401 && singleResult.data) singleResult.data = null;
        if (response.http.status === 503 || response.http.status === 429) {
          response.http.headers.set('retry-after', RETRY_AFTER);
        }
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

/** Makes the store of automatic persisted queries, which evicts the least recently used first. */
function persistedQueries() {
  const texts = new LRUCache<string, string>({ maxSize: MAX_PERSISTED_TEXT, sizeCalculation: ({ length }) => length });
  return {
    get: async (hash: string) => texts.get(hash),
    set: async (hash: string, text: string) => void texts.set(hash, text),
    delete: async (hash: string) => texts.delete(hash),
  };
}

/**
 * Makes the store of parsed operations, by a prefix and the SHA-256 of their text. Trusted documents are not parsed again;
 * of the others, the least recently used are evicted first.
 */
function parsedDocuments(trusted: TrustedDocuments): NonNullable<ApolloServerOptions<BaseContext>['documentStore']> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_TEXT,
    sizeCalculation: ({ loc }) => loc?.source.body.length || MAX_TEXT,
  });
  return {
    get: async (hash) => trusted.find(`sha256:${hash.slice(-64)}`)?.document ?? documents.get(hash),
    set: async (hash, document) => {
      documents.set(hash, document);
    },
    delete: async (hash) => documents.delete(hash),
  };
}
