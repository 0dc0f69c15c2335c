import type { QueryFilter } from 'mongoose';

import { Lease, type LeasePlace } from '../../models/leases/lease.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';
import { type StoredWebhook, WebhookModel } from '../../models/webhooks/webhook.ts';

const ALL = { accessScope: UNRESTRICTED };

/** A lease of a webhook: nobody else sends its events until it is given back, or has lapsed. */
export class WebhookLease {
  readonly #key: string;
  readonly #lease: Lease;

  private constructor(key: string, lease: Lease) {
    this.#key = key;
    this.#lease = lease;
  }

  /** Takes the lease of an active webhook; null where another server has it. */
  static async take(key: string): Promise<WebhookLease | null> {
    const lease = await Lease.take(placeOf(key));
    return lease && new WebhookLease(key, lease);
  }

  /** Reads the webhook as it is now; null where it is no longer sent by this holder. */
  async read(): Promise<StoredWebhook | null> {
    if (!this.#lease.isHeld()) return null;
    return WebhookModel.findOne(this.#own(), null, ALL).lean<StoredWebhook>();
  }

  /** Changes the webhook; nothing where it is no longer this holder's. */
  async update(update: Readonly<Record<string, unknown>>): Promise<void> {
    await WebhookModel.updateOne(this.#own(), update).setOptions(ALL);
  }

  /** Gives it back. @param due when somebody must look after its deliveries again; null if nothing is left to do */
  async giveBack(due: Date | null): Promise<void> {
    await WebhookModel.updateOne(this.#own(), { due }).setOptions(ALL);
    await this.#lease.giveBack();
  }

  #own(): QueryFilter<StoredWebhook> {
    return { key: this.#key, status: 'active', 'lease.holder': this.#lease.holder };
  }
}

function placeOf(key: string): LeasePlace {
  return {
    read: async () => {
      const hook = await WebhookModel.findOne({ key, status: 'active' }, 'lease', ALL).lean();
      return hook ? (hook.lease ?? null) : undefined;
    },
    replace: async (holder, lease) => {
      // Whoever comes after a holder that was killed finds it due.
      const filter = { key, 'lease.holder': holder, ...(lease && { status: 'active' as const }) };
      const { matchedCount } = await WebhookModel.updateOne(
        filter,
        lease ? { lease, due: lease.until } : { lease },
      ).setOptions(ALL);
      return matchedCount > 0;
    },
  };
}
