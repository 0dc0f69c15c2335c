import { accountAccessScope, UNRESTRICTED } from '../../models/tenancy.ts';
import { type StoredWebhook, WebhookModel } from '../../models/webhooks/webhook.ts';

import { lastNumber } from '../changes/number-changes.ts';
import { onEntries } from '../changes/on-change.ts';
import { sendDeliveries } from './send-deliveries.ts';

const ALL = { accessScope: UNRESTRICTED };

/** Webhooks that this process works on, or is to look at once more when it has done so. */
const working = new Map<string, { work: Promise<void>; again: boolean }>();

/** Sends the events of webhooks that are due. */
export async function sendDue(signal?: AbortSignal): Promise<void> {
  const due = { status: 'active', due: { $lte: new Date() } } as const;
  await workOn(await WebhookModel.find(due, 'key account_key', ALL).lean(), signal);
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
  await workOn(await WebhookModel.find({ status: 'active' }, 'key account_key', { accessScope }).lean(), signal);
}

async function readIsBehind({ account_key, position }: Pick<StoredWebhook, 'account_key' | 'position'>) {
  return (await lastNumber(accountAccessScope(account_key))) > position;
}

type NamedWebhook = Pick<StoredWebhook, 'key' | 'account_key'>;

async function workOn(hooks: readonly NamedWebhook[], signal?: AbortSignal): Promise<void> {
  await Promise.all(hooks.map((hook) => workOnOne(hook, signal)));
}

function workOnOne(hook: NamedWebhook, signal?: AbortSignal): Promise<void> {
  const { key } = hook;
  const known = working.get(key);
  if (known) {
    known.again = true;
    return known.work;
  }
  const own = { work: Promise.resolve(), again: true };
  working.set(key, own);
  own.work = workWhileAsked(hook, own, signal);
  return own.work;
}

/** Another process that added entries during the work was turned away by its lease, so the log is looked at once more. */
async function workWhileAsked(
  { key, account_key }: NamedWebhook,
  own: { again: boolean },
  signal?: AbortSignal,
): Promise<void> {
  const accessScope = accountAccessScope(account_key);
  try {
    while (own.again && !signal?.aborted) {
      own.again = false;
      const before = await lastNumber(accessScope);
      await sendDeliveries(key, signal);
      own.again ||= (await lastNumber(accessScope)) > before;
    }
  } finally {
    working.delete(key);
  }
}

/**
 * Sends events to webhooks as this process enters them into the log. A webhook is worked on by one process at a time.
 *
 * @param onFault called with what went wrong; `sendBehind` tries again
 */
export function watchWebhooks(onFault: (error: unknown) => void): { readonly close: () => Promise<void> } {
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  const stop = onEntries((accountKey) => {
    const work = sendOf(accountKey, ending.signal).catch(onFault);
    const one: Promise<void> = work.finally(() => running.delete(one));
    running.add(one);
  });
  return {
    close: async () => {
      stop();
      ending.abort();
      await Promise.all(running);
    },
  };
}
