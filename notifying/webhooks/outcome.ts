import type { StoredDelivery } from '../../models/webhooks/webhook-delivery.ts';
import type { WebhookStatus } from '../../schema/webhooks/webhook.ts';

import type { Attempt } from './attempt.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses from the end of a failed request to the next one, in milliseconds: three days in all. */
export const PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20.5 * HOUR_MS,
];

/** Number of rejections after which an event is set aside. */
const MAX_REJECTIONS = 5;

/** Changes that follow from an attempt. */
export interface AttemptEffect {
  /** Fields of the delivery. */
  readonly change: Partial<Pick<StoredDelivery, 'status' | 'next_attempt' | 'rejections' | 'failures'>>;
  /** The new state of the webhook, if it changes, with the notice for its owner. */
  readonly status?: WebhookStatus;
  readonly notice?: string;
}

/** Determines from an attempt the next state of a delivery and its webhook. */
export function afterAttempt(
  { rejections, failures }: Pick<StoredDelivery, 'rejections' | 'failures'>,
  { outcome, pause_ms, timestamp, duration_ms }: Attempt,
): AttemptEffect {
  if (outcome === 'received') return { change: { status: 'delivered', next_attempt: null } };
  if (outcome === 'gone') {
    return { change: {}, status: 'disabled', notice: 'The receiver answered 410: it does not want any more events.' };
  }
  const rejected = rejections + (outcome === 'rejected' ? 1 : 0);
  if (rejected >= MAX_REJECTIONS) return { change: { status: 'set_aside', next_attempt: null, rejections: rejected } };
  const pause = PAUSES_MS[failures];
  if (pause === undefined) {
    return { change: {}, status: 'paused', notice: 'The receiver has not accepted an event for three days.' };
  }
  const next_attempt = new Date(timestamp.getTime() + duration_ms + Math.max(pause, pause_ms));
  return { change: { next_attempt, rejections: rejected, failures: failures + 1 } };
}
