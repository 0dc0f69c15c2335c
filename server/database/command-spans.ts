import { type Span, SpanKind, trace } from '@opentelemetry/api';
import type { mongo } from 'mongoose';

import { failed, tracer } from '../../http/observing/tracing.ts';

/**
 * Makes a span of each database command of a request, below the span of its operation; periodic work of the service,
 * several times a second, has none. It names the command and the collection,
 * never a filter or a document. The client must monitor its commands.
 */
export function traceCommands(client: mongo.MongoClient): void {
  const spans = new Map<number, Span>();
  client.on('commandStarted', ({ requestId, commandName, databaseName, command }) => {
    if (!trace.getActiveSpan()) return;
    const collection = collectionOf(commandName, command);
    const attributes = {
      'db.system.name': 'mongodb',
      'db.namespace': databaseName,
      'db.operation.name': commandName,
      ...(collection !== null && { 'db.collection.name': collection }),
    };
    const name = collection === null ? commandName : `${commandName} ${collection}`;
    spans.set(requestId, tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes }));
  });
  const end = (requestId: number, fault: string | null) => {
    const span = spans.get(requestId);
    if (span && fault !== null) failed(span, fault);
    span?.end();
    spans.delete(requestId);
  };
  client.on('commandSucceeded', ({ requestId }) => end(requestId, null));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure.name));
}

/** Name of the collection of a command, which is the value of its first member, or of `collection` if it continues a cursor. */
function collectionOf(name: string, command: mongo.Document): string | null {
  const named: unknown = name === 'getMore' ? command.collection : command[name];
  return typeof named === 'string' ? named : null;
}
