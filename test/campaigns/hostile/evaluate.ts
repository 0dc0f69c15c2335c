import type { Answer } from './answer-reader.ts';
import type { HostileRequest } from './hostile-request.ts';
import { MAX_ANSWER_MS, type Outcome } from './send-request.ts';

/**
 * Refusals that the reference of the content interface sends with a status of 500 and more, by their codes; its clients know
 * them, and nothing is wrong with the service.
 */
const REFERENCE_CODES = [
  'rest_upload_sideload_error',
  'rest_upload_unknown_error',
  'rest_trash_not_supported',
  'rest_invalid_stored_value',
  'db_insert_error',
  'db_update_error',
  'duplicate_term_slug',
  'empty_term_name',
  'existing_user_login',
  'existing_user_email',
  'empty_user_login',
  'user_login_too_long',
  'user_nicename_too_long',
];
const REFERENCE_REJECTION = new RegExp(`"code":"(?:${REFERENCE_CODES.join('|')})","message":`);

/** Says why an outcome breaks the promise; null where it does not. */
export function evaluate(request: Pick<HostileRequest, 'needsAnswer'>, outcome: Outcome): string | null {
  const { answer, statuses, fault, milliseconds } = outcome;
  if (fault === 'hangs' || milliseconds > MAX_ANSWER_MS) return `no answer within ${MAX_ANSWER_MS / 1000} s`;
  if (fault === 'broken') return 'what came back is no HTTP';
  const bad = statuses.find((status) => status >= 500 && status !== 503);
  if (bad !== undefined && !isReferenceRejection(answer)) return `status ${bad}`;
  if (answer === null) return request.needsAnswer ? 'the connection was closed without an answer' : null;
  if (answer.status === 503 && !answer.headers.has('retry-after')) return 'status 503 without Retry-After';
  if (answer.body.includes('INTERNAL_SERVER_ERROR')) return 'an error INTERNAL_SERVER_ERROR';
  return null;
}

function isReferenceRejection(answer: Answer | null): boolean {
  const isContent = answer?.headers.has('x-robots-tag') ?? false;
  return isContent && REFERENCE_REJECTION.test(answer?.body.toString('latin1', 0, 500) ?? '');
}
