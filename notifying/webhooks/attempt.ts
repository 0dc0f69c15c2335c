import { channel } from 'node:diagnostics_channel';

import type { StoredWebhook } from '../../models/webhooks/webhook.ts';
import type { DeliveryAttempt } from '../../schema/webhooks/webhook-delivery.ts';

import { signedHeaders } from './webhook-secrets.ts';
import type { Service } from '../../models/store/service.ts';

/** 4xx statuses that request a retry. */
const NO_REJECTIONS: ReadonlySet<number> = new Set([408, 425, 429]);

/** Maximum pause that a receiver may request, in milliseconds: three days, as long as a webhook retries. */
const MAX_RETRY_AFTER_MS = 3 * 86_400_000;

/** One request to a receiver, and its outcome. */
export interface Attempt extends DeliveryAttempt {
  readonly outcome: 'received' | 'gone' | 'rejected' | 'failed';
  /** Pause that the receiver requests, in milliseconds. */
  readonly pause_ms: number;
}

/** Reports to metrics each {@link Attempt}. */
export const notificationAttempted = channel('waybridge:notification-attempted');

/**
 * Posts a notification to the receiver of a webhook, signed.
 * @param signal ends the request
 */
export async function attempt(...request: Parameters<typeof post>): Promise<Attempt> {
  const made = await post(...request);
  notificationAttempted.publish(made);
  return made;
}

async function post(
  service: Service,
  { url, secrets }: Pick<StoredWebhook, 'url' | 'secrets'>,
  { id, body }: { readonly id: string; readonly body: string },
  signal?: AbortSignal,
): Promise<Attempt> {
  const timestamp = new Date();
  const headers = {
    ...(await signedHeaders(service, secrets, { id, body, time: timestamp })),
    'Content-Type': 'application/json',
  };
  const duration = () => Math.max(0, Date.now() - timestamp.getTime());
  try {
    const { status_code, response, retry_after } = await service.sender.post({ url, headers, body, signal });
    const pause_ms = pauseOf(retry_after);
    return { timestamp, status_code, response, duration_ms: duration(), outcome: outcomeOf(status_code), pause_ms };
  } catch (error) {
    const response = reasonOf(error);
    return { timestamp, status_code: null, response, duration_ms: duration(), outcome: 'failed', pause_ms: 0 };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function outcomeOf(status: number): Attempt['outcome'] {
  if (status >= 200 && status < 300) return 'received';
  if (status === 410) return 'gone';
  return status >= 400 && status < 500 && !NO_REJECTIONS.has(status) ? 'rejected' : 'failed';
}

/** Reads `Retry-After`: seconds, or a date, which is in GMT in each of its forms (RFC 9110, sections 10.2.3 and 5.6.7). */
function pauseOf(header: string | null): number {
  if (header === null) return 0;
  const date = header.endsWith('GMT') ? header : `${header} GMT`;
  const pause = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(date) - Date.now();
  return Number.isFinite(pause) ? Math.min(Math.max(0, pause), MAX_RETRY_AFTER_MS) : 0;
}
