import type { FastifyRequest } from 'fastify';

import { accessOf, authorize } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { readCredentials } from '../../auth/identify.ts';
import { entityTag } from '../../http/answers/conditional.ts';
import { listsWeakly } from '../../http/answers/preconditions.ts';
import { hasTransactions } from '../../models/store/transaction.ts';
import type { RestAnswer } from '../../http/answers/error-response.ts';
import type { RestEndpoint } from '../../rest-bridge/rest-bridge.ts';
import type { RestRequest } from '../../rest-bridge/rest-request.ts';
import { HTTP_STATUS, notFound, ServiceError } from '../../schema/service-error.ts';

import { answerOnce, changedTogether, oneAtATime } from './answer-once.ts';

/** A request that changes something, from a caller who may send it. */
export interface ChangeRequest {
  readonly request: FastifyRequest;
  readonly sent: RestRequest;
  readonly context: RequestContext;
  readonly endpoint: RestEndpoint;
  /** The row that shows the changed record, if there is one. */
  readonly shown: RestEndpoint | undefined;
}

/**
 * Answers a request that changes something: once, if it has an `Idempotency-Key`, and only if the record is as
 * `If-Match` says (RFC 9110, section 13.1.1), one at a time. Positions are unique by time, so ingestion needs no key.
 *
 * @throws ServiceError PRECONDITION_FAILED, NOT_FOUND, or what {@link answerOnce} throws
 */
export async function answerChange(change: ChangeRequest, answer: () => Promise<RestAnswer>): Promise<RestAnswer> {
  const { request, sent, context, endpoint } = change;
  const ifMatch = request.headers['if-match'];
  const precondition = async () => {
    if (ifMatch !== undefined) await requireState(change, ifMatch);
  };
  const key = request.headers['idempotency-key'];
  const isRepeatable = endpoint.route.repeatable === true;
  if (key === undefined || endpoint.method !== 'POST' || accessOf(endpoint.field)?.includes('ingest')) {
    if (ifMatch === undefined) return answer();
    const work = async () => {
      await precondition();
      return answer();
    };
    // Unconditional changes of the record cannot come in between either.
    const isTogether = !isRepeatable && (await hasTransactions(context.service));
    return oneAtATime(context.service, recordOf(change), () =>
      isTogether ? changedTogether(context.service, work) : work(),
    );
  }
  const { apiKey, bearer } = readCredentials(request.raw.rawHeaders);
  const { method, url } = request.raw;
  const reach = accessScopeOf(context);
  const body = Buffer.from(sent.body).toString();
  const facts = [method, url, sent.contentType, body, reach, ifMatch];
  const once = { credential: apiKey ?? bearer ?? '', key: String(key), facts, isRepeatable, precondition };
  return ifMatch === undefined
    ? answerOnce(context.service, once, answer)
    : oneAtATime(context.service, recordOf(change), () => answerOnce(context.service, once, answer));
}

/** The record that a request changes, by names that are the same in all requests. */
function recordOf({ sent, context, endpoint }: ChangeRequest): string[] {
  return [accessScopeOf(context).account_key ?? '', endpoint.path, ...Object.values(sent.params)];
}

/**
 * A record that GET does not find is 404: preconditions are evaluated only if the answer would otherwise be a success (RFC
 * 9110, section 13.2.1).
 */
async function requireState({ sent, context, shown }: ChangeRequest, ifMatch: string): Promise<void> {
  const body = shown && (await shownBody(shown, sent, context));
  if (body === undefined || !listsWeakly(ifMatch, entityTag(body))) {
    throw new ServiceError('PRECONDITION_FAILED', 'The record does not match If-Match');
  }
}

/** The record as GET shows it to the caller; undefined if the caller may not read it. @throws ServiceError NOT_FOUND */
async function shownBody(shown: RestEndpoint, { params }: RestRequest, context: RequestContext) {
  try {
    for (const root of shown.roots) authorize(context, root);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
  const asked = { params, search: new URLSearchParams(), contentType: undefined, body: new Uint8Array() };
  const { status, body } = await shown.answer(asked, context);
  if (status === HTTP_STATUS.NOT_FOUND) throw notFound('record');
  return status === 200 ? JSON.stringify(body) : undefined;
}
