import { isLeaseOver, LEASE_MS } from './is-lease-over.ts';
import { newHolder } from './lease-holder.ts';

/** Interval at which a holder renews its lease, in milliseconds. */
const RENEW_EVERY_MS = 2000;
/** Time before the end of a lease in which its holder starts no more work, in milliseconds. */
const MARGIN_MS = 500;

/** A lease as it is stored. */
export interface StoredLease {
  readonly holder: string;
  readonly until: Date;
}

/** The place where a lease is stored. */
export interface LeasePlace {
  /** Reads the lease; null if no one has it, undefined if there is nothing to lease. */
  read(): Promise<StoredLease | null | undefined>;
  /** Replaces the lease that was read, with null if there is none; returns false if another process has taken it. */
  replace(holder: string | null, lease: StoredLease | null): Promise<boolean>;
}

/**
 * A right that one process has at a time. It is renewed until it is released; that of a killed process expires, or is taken
 * over immediately by a process of the same machine. A process that only stalled learns at its next renewal that it has
 * lost the lease, so work that must not be done twice needs a precondition in its writes.
 */
export class Lease {
  readonly #place: LeasePlace;
  readonly #lost = new AbortController();
  readonly holder = newHolder();
  /** Its end on the clock of this process that nobody sets, in milliseconds. */
  #until = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(place: LeasePlace) {
    this.#place = place;
  }

  /** Takes a lease; null if another process has it. */
  static async take(place: LeasePlace): Promise<Lease | null> {
    const before = await place.read();
    if (before === undefined) return null;
    if (before && !isLeaseOver(before.holder, before.until)) return null;
    const lease = new Lease(place);
    if (!(await lease.#extend(before?.holder ?? null))) return null;
    lease.#timer = setInterval(() => void lease.#renew(), RENEW_EVERY_MS).unref();
    return lease;
  }

  /** Aborted as soon as the process knows that another process has the lease, or may have it. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Returns true if new work may start under the lease. */
  isHeld(): boolean {
    return !this.lost.aborted && performance.now() < this.#until - MARGIN_MS;
  }

  /** Releases the lease, if it is still held. */
  async giveBack(): Promise<void> {
    clearInterval(this.#timer);
    await this.#place.replace(this.holder, null);
  }

  async #renew(): Promise<void> {
    // If the database does not answer, the lease expires.
    const isRenewed = await this.#extend(this.holder).catch(() => null);
    if (isRenewed === false || (isRenewed === null && performance.now() >= this.#until)) {
      clearInterval(this.#timer);
      this.#lost.abort();
    }
  }

  async #extend(before: string | null): Promise<boolean> {
    const until = performance.now() + LEASE_MS;
    const isMine = await this.#place.replace(before, { holder: this.holder, until: new Date(Date.now() + LEASE_MS) });
    if (isMine) this.#until = until;
    return isMine;
  }
}
