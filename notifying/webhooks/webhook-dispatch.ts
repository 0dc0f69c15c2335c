import { CLOCK_SKEW_MS } from '../../models/server-messages.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { type StoredWebhook, WebhookStore } from '../../models/webhooks/webhook.ts';

import { lastNumber } from '../changes/number-changes.ts';
import { onEntries } from '../changes/on-change.ts';
import type { EventReader } from './notification.ts';
import { sendDeliveries } from './send-deliveries.ts';
import { perService, type Service } from '../../models/store/service.ts';

/** Webhooks that this process is processing, or must check again afterwards. */
const working = perService(() => new Map<string, { work: Promise<void>; again: boolean }>());

/** The time of day less that of the clock that nobody sets, at the last look for what is due, in milliseconds. */
const clocks = perService(() => ({ offset: Number.POSITIVE_INFINITY }));

/**
 * Sends the events of webhooks that are due; at first, and after the clock was set back, of all whose events wait: those put off by a
 * clock that was ahead are due.
 */
export async function sendDue(service: Service, events: EventReader, signal?: AbortSignal): Promise<void> {
  const now = Date.now();
  const offset = now - performance.now();
  const isSetBack = offset < clocks(service).offset - CLOCK_SKEW_MS;
  const due = { status: 'active', due: isSetBack ? { $ne: null } : { $lte: new Date(now) } } as const;
  const hooks = await WebhookStore.find(unrestricted(service), due, 'key account_key');
  clocks(service).offset = offset;
  await workOn(service, events, hooks, signal);
}

/** Sends the events of webhooks that have not read the log of their account to its end. */
export async function sendBehind(service: Service, events: EventReader, signal?: AbortSignal): Promise<void> {
  const hooks = await WebhookStore.find(unrestricted(service), { status: 'active' }, 'key account_key position');
  const isBehind = await Promise.all(hooks.map((hook) => readIsBehind(service, hook)));
  await workOn(
    service,
    events,
    hooks.filter((_, at) => isBehind[at]),
    signal,
  );
}

/** Sends the events of the webhooks of an account, whose log has new entries. */
async function sendOf(service: Service, events: EventReader, accountKey: string, signal?: AbortSignal): Promise<void> {
  const accessScope = accountAccessScope(service, accountKey);
  await workOn(service, events, await WebhookStore.find(accessScope, { status: 'active' }, 'key account_key'), signal);
}

async function readIsBehind(
  service: Service,
  { account_key, position }: Pick<StoredWebhook, 'account_key' | 'position'>,
) {
  return (await lastNumber(accountAccessScope(service, account_key))) > position;
}

type NamedWebhook = Pick<StoredWebhook, 'key' | 'account_key'>;

async function workOn(
  service: Service,
  events: EventReader,
  hooks: readonly NamedWebhook[],
  signal?: AbortSignal,
): Promise<void> {
  await Promise.all(hooks.map((hook) => workOnOne(service, events, hook, signal)));
}

function workOnOne(service: Service, events: EventReader, hook: NamedWebhook, signal?: AbortSignal): Promise<void> {
  const { key } = hook;
  const known = working(service).get(key);
  if (known) {
    known.again = true;
    return known.work;
  }
  const own = { work: Promise.resolve(), again: true };
  working(service).set(key, own);
  own.work = workWhileAsked(service, events, hook, own, signal);
  return own.work;
}

/** A process that added entries during the work could not get the lease, so the log is checked again. */
async function workWhileAsked(
  service: Service,
  events: EventReader,
  { key, account_key }: NamedWebhook,
  own: { again: boolean },
  signal?: AbortSignal,
): Promise<void> {
  const accessScope = accountAccessScope(service, account_key);
  try {
    while (own.again && !signal?.aborted) {
      own.again = false;
      const before = await lastNumber(accessScope);
      await sendDeliveries(service, events, key, signal);
      own.again ||= (await lastNumber(accessScope)) > before;
    }
  } finally {
    working(service).delete(key);
  }
}

/** Time after a fault until it is tried again, in milliseconds. */
const RETRY_MS = 5000;

/**
 * Sends events to webhooks as this process enters them into the log. A webhook is processed by one process at a time.
 *
 * @param onFault called with the error; the work is retried
 */
export function watchWebhooks(
  service: Service,
  events: EventReader,
  onFault: (error: unknown) => void,
): { readonly close: () => Promise<void> } {
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  const again = new Map<string, NodeJS.Timeout>();
  const send = (accountKey: string) => {
    clearTimeout(again.get(accountKey));
    again.delete(accountKey);
    const work = sendOf(service, events, accountKey, ending.signal).catch((error: unknown) => {
      onFault(error);
      if (!ending.signal.aborted) again.set(accountKey, setTimeout(send, RETRY_MS, accountKey).unref());
    });
    const one: Promise<void> = work.finally(() => running.delete(one));
    running.add(one);
  };
  const stop = onEntries(service, send);
  return {
    close: async () => {
      stop();
      ending.abort();
      for (const timer of again.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
