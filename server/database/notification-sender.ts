import { SpanKind } from '@opentelemetry/api';

import type { AddressRanges } from '../../http/requests/address-ranges.ts';
import {
  guardedRequest,
  isPublicAddress,
  mayReach,
  PUBLIC_INTERNET,
  readBeginning,
} from '../../http/outgoing/guarded-request.ts';
import { inSpan, traceHeaders } from '../../http/observing/tracing.ts';
import type { NotificationSender } from '../../models/store/notification-sender.ts';

/** Time in which a receiver must answer, in milliseconds. */
const TIMEOUT_MS = 15_000;
/**
 * The span of a notification: not below a request, since it may contain changes of several. Receivers' addresses may contain
 * secrets.
 */
const SPAN = {
  name: 'POST webhook',
  kind: SpanKind.CLIENT,
  isRoot: true,
  attributes: { 'http.request.method': 'POST' },
};
/** Maximum number of bytes read of a response. */
const MAX_ANSWER_BYTES = 1000;

/**
 * Makes the sender of notifications to receivers: to hosts on the public internet and in the named networks, by https, without
 * following redirects.
 *
 * @param ca certificates of authorities that are trusted in place of the well-known ones
 */
export function notificationSender(networks: AddressRanges, ca?: string): NotificationSender {
  const reach = {
    ...PUBLIC_INTERNET,
    isAllowedAddress: (address: string) => isPublicAddress(address) || networks.has(address),
    isAllowedPort: ({ protocol }: URL) => protocol === 'https:',
    ...(ca === undefined ? {} : { ca }),
  };
  const post: NotificationSender['post'] = async ({ url, headers, body, signal: ending }) => {
    const tooLate = AbortSignal.timeout(TIMEOUT_MS);
    const signal = ending ? AbortSignal.any([tooLate, ending]) : tooLate;
    try {
      return await inSpan(SPAN, async () => {
        const sent = { ...headers, ...traceHeaders() };
        const answer = await guardedRequest(new URL(url), { method: 'POST', headers: sent, body, reach, signal });
        const response = await readBeginning(answer, MAX_ANSWER_BYTES);
        return { status_code: answer.statusCode ?? 0, response, retry_after: answer.headers['retry-after'] ?? null };
      });
    } catch (error) {
      throw tooLate.aborted ? new Error(`No answer in ${TIMEOUT_MS / 1000} seconds`) : error;
    }
  };
  return { post, mayReach: (url) => mayReach(url, reach) };
}
