import type { QueryFilter } from 'mongoose';

import { UNRESTRICTED } from '../../models/tenancy.ts';
import { type StoredWebhook, WebhookModel } from '../../models/webhooks/webhook.ts';

import { isHolderDead, newHolder } from '../recording/lease-holder.ts';

/** Time after which a lease lapses unless its holder renews it, in milliseconds. */
const LEASE_MS = 6000;
/** Interval at which a holder renews its lease, in milliseconds. */
const RENEW_EVERY_MS = 2000;
/** Time before the end of a lease from which nothing is sent by it, in milliseconds. */
const MARGIN_MS = 500;

const ALL = { accessScope: UNRESTRICTED };

/** A lease of a webhook: nobody else sends its events until it is given back, or has lapsed. */
export class WebhookLease {
  readonly #key: string;
  readonly #holder = newHolder();
  #until = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(key: string) {
    this.#key = key;
  }

  /** Takes the lease of an active webhook; null where another server has it. */
  static async take(key: string): Promise<WebhookLease | null> {
    const lease = new WebhookLease(key);
    const now = Date.now();
    const hook = await WebhookModel.findOne({ key, status: 'active' }, 'lease', ALL).lean();
    if (!hook) return null;
    const before = hook.lease;
    if (before && before.until.getTime() > now && !isHolderDead(before.holder)) return null;
    if (!(await lease.#extend({ key, status: 'active', 'lease.holder': before?.holder ?? null }))) return null;
    lease.#timer = setInterval(() => void lease.#renew(), RENEW_EVERY_MS).unref();
    return lease;
  }

  /** Reads the webhook as it is now; null where it is no longer sent by this holder. */
  async read(): Promise<StoredWebhook | null> {
    if (Date.now() > this.#until - MARGIN_MS) return null;
    return WebhookModel.findOne(this.#own(), null, ALL).lean<StoredWebhook>();
  }

  /** Changes the webhook; nothing where it is no longer this holder's. */
  async update(update: Readonly<Record<string, unknown>>): Promise<void> {
    await WebhookModel.updateOne(this.#own(), update).setOptions(ALL);
  }

  /** Gives it back. @param due when somebody must look after its deliveries again; null if nothing is left to do */
  async giveBack(due: Date | null): Promise<void> {
    clearInterval(this.#timer);
    const held = { key: this.#key, 'lease.holder': this.#holder };
    await WebhookModel.updateOne(held, { lease: null, due }).setOptions(ALL);
  }

  #own(): QueryFilter<StoredWebhook> {
    return { key: this.#key, status: 'active', 'lease.holder': this.#holder };
  }

  async #renew(): Promise<void> {
    // Where this fails the lease lapses, and nothing is sent by it.
    await this.#extend(this.#own()).catch(() => undefined);
  }

  async #extend(filter: QueryFilter<StoredWebhook>): Promise<boolean> {
    const until = Date.now() + LEASE_MS;
    // Whoever comes after a holder that was killed finds it due.
    const change = { lease: { holder: this.#holder, until: new Date(until) }, due: new Date(until) };
    const { matchedCount } = await WebhookModel.updateOne(filter, change).setOptions(ALL);
    this.#until = matchedCount > 0 ? until : 0;
    return matchedCount > 0;
  }
}
