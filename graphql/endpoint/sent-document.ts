import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import { type DocumentNode, Kind } from 'graphql';

import { type Caller, credentialsRequired } from '../../auth/caller.ts';
import { queryOf } from '../../http/requests/utf8.ts';
import { ServiceError } from '../../schema/service-error.ts';

import type { TrustedDocument, TrustedDocuments } from './trusted-documents.ts';

/** Key of the {@link SentDocument} in an operation's context. */
export const SENT_DOCUMENT = Symbol('sent document');

/** The document of a request, if it is trusted. */
export interface SentDocument {
  /** Null if the request sends the text of another document. */
  trusted: TrustedDocument | null;
}

/** Name of the operation of a trusted document; absent for others, since clients may send any number of names. */
export function nameOfSent({ trusted }: SentDocument): string {
  return trusted === null ? 'other' : nameOfDocument(trusted.document);
}

/** Name of the operation of a trusted document. */
export function nameOfDocument({ definitions }: DocumentNode): string {
  const [operation] = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return operation?.name?.value ?? 'unnamed';
}

/** Documents that an endpoint executes. */
export interface ServedDocuments {
  readonly trusted: TrustedDocuments;
  /** True if all others are rejected, except those of signed-in users; the endpoint then shows no page for trying out queries. */
  readonly trustedOnly: boolean;
  /** True if clients may register documents by their hash (Apollo's automatic persisted queries). */
  readonly automatic: boolean;
}

/**
 * Finds the trusted document that a request names by `documentId` (GraphQL-over-HTTP draft, appendix A), or whose text it sends;
 * null for any other text, and for a request that Apollo Server rejects.
 *
 * @throws ServiceError if the id is unknown or malformed, or if only trusted documents are executed and this is none, which a visitor
 * is told only after credentials. Decisions: "Errors".
 */
export function trustedDocumentOf(
  request: FastifyRequest,
  caller: Caller,
  { trusted, trustedOnly }: ServedDocuments,
): TrustedDocument | null {
  const { documentId, query } = parametersOf(request);
  if ((documentId ?? null) === null) {
    if (typeof query !== 'string') return null;
    const found = trusted.findText(query) ?? null;
    // The console sends operations that its scripts contain.
    if (found === null && trustedOnly && caller.kind !== 'user') {
      if (caller.kind === 'visitor') throw credentialsRequired();
      throw new ServiceError('PERSISTED_DOCUMENT_REQUIRED', 'Only trusted documents are executed; send a documentId');
    }
    return found;
  }
  if ((query ?? null) !== null) throw new ServiceError('BAD_REQUEST', 'Send documentId or query, and not both');
  if (typeof documentId !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(documentId)) {
    throw new ServiceError('BAD_REQUEST', 'documentId must be sha256: and 64 hexadecimal digits in lower case');
  }
  const found = trusted.find(documentId);
  if (!found) throw new ServiceError('PERSISTED_DOCUMENT_NOT_FOUND', 'No document has this documentId');
  return found;
}

/** Members of a request that identify its document, read as Apollo Server reads the others; a list if one is repeated. */
function parametersOf({ method, url, body }: FastifyRequest): { documentId?: unknown; query?: unknown } {
  if (method !== 'GET') return typeof body === 'object' && body !== null ? body : {};
  const query = queryOf(url);
  const parameter = (name: string) => {
    const values = query.getAll(name);
    return values.length > 1 ? values : values[0];
  };
  return { documentId: parameter('documentId'), query: parameter('query') };
}

/** Passes Apollo Server the text of a document that was sent by id. */
export const sentDocumentPlugin: ApolloServerPlugin<{ readonly [SENT_DOCUMENT]: SentDocument }> = {
  requestDidStart: async ({ request, contextValue }) => {
    const { trusted } = contextValue[SENT_DOCUMENT];
    if (trusted) request.query = trusted.text;
  },
};
