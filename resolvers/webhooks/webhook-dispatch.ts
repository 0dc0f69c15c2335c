import { accountAccessScope, UNRESTRICTED } from '../../models/tenancy.ts';
import { type StoredWebhook, WebhookModel } from '../../models/webhooks/webhook.ts';

import { lastNumber } from '../changes/number-changes.ts';
import { onEntries } from '../changes/on-change.ts';
import { sendDeliveries } from './send-deliveries.ts';

/** Interval at which webhooks are looked for that are due, or whose server was killed, in milliseconds. */
const DUE_EVERY_MS = 3000;
/** Interval at which webhooks are looked for that have not read the log to its end, in milliseconds. */
const BEHIND_EVERY_MS = 30_000;

const ALL = { accessScope: UNRESTRICTED };

/** Webhooks that this process works on, or is to look at once more when it has done so. */
const working = new Map<string, { work: Promise<void>; again: boolean }>();

/** Sends the events of webhooks that are due. */
export async function sendDue(signal?: AbortSignal): Promise<void> {
  const due = { status: 'active', due: { $lte: new Date() } } as const;
  await workOn(await WebhookModel.find(due, 'key', ALL).lean(), signal);
}

/** Sends the events of webhooks that have not read the log of their account to its end. */
export async function sendBehind(signal?: AbortSignal): Promise<void> {
  const hooks = await WebhookModel.find({ status: 'active' }, 'key account_key position', ALL).lean();
  const isBehind = await Promise.all(hooks.map(readIsBehind));
  await workOn(
    hooks.filter((_, at) => isBehind[at]),
    signal,
  );
}

/** Sends the events of the webhooks of an account, whose log has new entries. */
async function sendOf(accountKey: string, signal?: AbortSignal): Promise<void> {
  const accessScope = accountAccessScope(accountKey);
  await workOn(await WebhookModel.find({ status: 'active' }, 'key', { accessScope }).lean(), signal);
}

async function readIsBehind({ account_key, position }: Pick<StoredWebhook, 'account_key' | 'position'>) {
  return (await lastNumber(accountAccessScope(account_key))) > position;
}

async function workOn(hooks: readonly { readonly key: string }[], signal?: AbortSignal): Promise<void> {
  await Promise.all(hooks.map(({ key }) => workOnOne(key, signal)));
}

function workOnOne(key: string, signal?: AbortSignal): Promise<void> {
  const known = working.get(key);
  if (known) {
    known.again = true;
    return known.work;
  }
  const own = { work: Promise.resolve(), again: true };
  working.set(key, own);
  own.work = workWhileAsked(key, own, signal);
  return own.work;
}

async function workWhileAsked(key: string, own: { again: boolean }, signal?: AbortSignal): Promise<void> {
  try {
    while (own.again && !signal?.aborted) {
      own.again = false;
      await sendDeliveries(key, signal);
    }
  } finally {
    working.delete(key);
  }
}

/**
 * Sends events to webhooks as they come into the log. A webhook is worked on by one server at a time.
 *
 * @param onFault called with what went wrong; the work is tried again
 */
export function watchWebhooks(onFault: (error: unknown) => void): { readonly close: () => Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  const running = new Set<Promise<void>>();
  const run = (work: Promise<void>) => {
    const one: Promise<void> = work.catch(onFault).finally(() => running.delete(one));
    running.add(one);
  };
  const stop = onEntries((accountKey) => run(sendOf(accountKey, signal)));
  const timers = [
    setInterval(() => run(sendDue(signal)), DUE_EVERY_MS).unref(),
    setInterval(() => run(sendBehind(signal)), BEHIND_EVERY_MS).unref(),
  ];
  run(sendBehind(signal));
  return {
    close: async () => {
      stop();
      for (const timer of timers) clearInterval(timer);
      ending.abort();
      await Promise.all(running);
    },
  };
}
