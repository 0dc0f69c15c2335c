import type { FilterOf } from '../../models/store/plain-store.ts';

import { Lease, type LeasePlace } from '../../models/leases/lease.ts';
import { unrestricted, type Unrestricted } from '../../models/store/tenancy.ts';
import { type StoredWebhook, WebhookStore } from '../../models/webhooks/webhook.ts';
import type { Service } from '../../models/store/service.ts';

/** A lease of a webhook: no other process sends its events until it is released or expires. */
export class WebhookLease {
  readonly #service: Service;
  readonly #key: string;
  readonly #lease: Lease;

  private constructor(service: Service, key: string, lease: Lease) {
    this.#service = service;
    this.#key = key;
    this.#lease = lease;
  }

  /** Takes the lease of an active webhook; null if another server has it. */
  static async take(service: Service, key: string): Promise<WebhookLease | null> {
    const lease = await Lease.take(placeOf(unrestricted(service), key));
    return lease && new WebhookLease(service, key, lease);
  }

  /** Reads the webhook as it is now; null if it is no longer sent by this holder. */
  async read(): Promise<StoredWebhook | null> {
    if (!this.#lease.isHeld()) return null;
    return WebhookStore.findOne(unrestricted(this.#service), this.#own(), null);
  }

  /** Changes the webhook; does nothing if another process holds it by now. */
  async update(update: Readonly<Record<string, unknown>>): Promise<void> {
    await WebhookStore.updateOne(unrestricted(this.#service), this.#own(), update);
  }

  /**
   * Releases it. A fault ends its renewal, too, so that it expires and the webhook is due then.
   *
   * @param due when its deliveries must be processed again; null if nothing is left to do
   */
  async giveBack(due: Date | null): Promise<void> {
    await this.update({ due }).finally(() => this.#lease.giveBack());
  }

  #own(): FilterOf<StoredWebhook> {
    return { key: this.#key, status: 'active', 'lease.holder': this.#lease.holder };
  }
}

function placeOf(all: Unrestricted, key: string): LeasePlace {
  return {
    read: async () => {
      const hook = await WebhookStore.findOne(all, { key, status: 'active' }, 'lease');
      return hook ? (hook.lease ?? null) : undefined;
    },
    replace: async (holder, lease) => {
      // The next holder after a killed one finds it due.
      const filter = { key, 'lease.holder': holder, ...(lease && { status: 'active' as const }) };
      const { matchedCount } = await WebhookStore.updateOne(
        all,
        filter,
        lease ? { lease, due: lease.until } : { lease },
      );
      return matchedCount > 0;
    },
  };
}
