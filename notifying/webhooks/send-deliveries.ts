import { setTimeout as pause } from 'node:timers/promises';

import { type Caller, isPermitted } from '../../auth/caller.ts';
import { makerNow } from '../../auth/maker-now.ts';
import { CLOCK_SKEW_MS } from '../../models/server-messages.ts';
import type { StoredWebhook } from '../../models/webhooks/webhook.ts';
import {
  deliveriesAccessScope,
  type StoredDelivery,
  WebhookDeliveryStore,
} from '../../models/webhooks/webhook-delivery.ts';

import { isRemoved } from '../../models/account/deleted-record.ts';
import { numberChanges } from '../changes/number-changes.ts';
import { vehiclesInArrangement } from '../../tracking/recording/complete-interrupted.ts';
import { addDeliveries, ownerOf } from './add-deliveries.ts';
import { attempt } from './attempt.ts';
import { sendAgain } from './send-again.ts';
import { deletionNotificationOf, type EventReader, type Notification } from './notification.ts';
import { afterAttempt } from './outcome.ts';
import { WebhookLease } from './webhook-lease.ts';
import type { Service } from '../../models/store/service.ts';

/** Number of vehicles whose events are sent to one webhook in parallel. */
const MAX_SENDING = 8;
/** Number of deliveries read at a time. */
const AT_ONCE = 50;
/** Interval at which the log is read further while a receiver is slow, in milliseconds. */
const READ_ON_MS = 1000;
/** Interval at which vehicles whose positions are being recorded are checked, in milliseconds. */
const LOOK_EVERY_MS = 20;
/** Pause after a fault of the service, in milliseconds. */
const FAULT_PAUSE_MS = 10_000;
/** Number of requests stored in the record of a delivery. */
const MAX_ATTEMPTS = 20;

/**
 * Sends the due events of a webhook until none is left: those of a vehicle by time, those of several vehicles
 * in parallel. Does nothing if another server does so.
 */
export async function sendDeliveries(
  service: Service,
  events: EventReader,
  webhookKey: string,
  signal?: AbortSignal,
): Promise<void> {
  const lease = await WebhookLease.take(service, webhookKey);
  if (!lease) return;
  const sending = new DeliverySending(service, events, lease, signal);
  try {
    while (!signal?.aborted && (await sending.goOn()));
  } finally {
    await sending.ended();
    await lease.giveBack(signal?.aborted ? new Date() : sending.due);
  }
}

/** A webhook with the viewers of its events. */
interface Sent {
  readonly hook: StoredWebhook;
  readonly viewer: Caller;
}

class DeliverySending {
  readonly #service: Service;
  readonly #events: EventReader;
  readonly #lease: WebhookLease;
  /** By vehicle. */
  readonly #sending = new Map<string, Promise<void>>();
  /** Times of the next event of vehicles that wait, in milliseconds since 1970. */
  readonly #waiting = new Map<string, number>();
  readonly #signal: AbortSignal | undefined;
  #fault: unknown;

  constructor(service: Service, events: EventReader, lease: WebhookLease, signal?: AbortSignal) {
    this.#service = service;
    this.#events = events;
    this.#lease = lease;
    this.#signal = signal;
  }

  /** When the next delivery is due; null if there is none. */
  get due(): Date | null {
    return this.#waiting.size === 0 ? null : new Date(Math.min(...this.#waiting.values()));
  }

  /** Settles once nothing is being sent. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#sending.values());
  }

  /**
   * Reads some of the log, and at its end begins to send due events; false if nothing is left to do. The
   * events of an upload are found together: a vehicle waits while its positions are being recorded, and the resulting entries
   * are read before its next event is sent.
   *
   * @throws an error that is not a fault of the receiver
   */
  async goOn(): Promise<boolean> {
    if (this.#fault !== undefined) throw this.#fault;
    const hook = await this.#lease.read();
    const viewer = hook && (await makerNow(this.#service, hook));
    if (hook && viewer === null && !(await isRemoved(this.#service, hook.account_key))) {
      await this.#lease.update({ status: 'disabled', notice: 'The access of the app has ended.' });
    }
    if (!hook || !viewer || !isPermitted(viewer, ['account_activity.read'])) return false;
    // If all of these end meanwhile, the next events of their vehicles may be due.
    const wasSending = this.#sending.size > 0;
    const due = await this.#firstDue(hook);
    const vehicles = due.map(({ vehicle_key }) => vehicle_key);
    const arranged = await vehiclesInArrangement(this.#service, hook.account_key, vehicles);
    if (due.length > 0) await numberChanges(this.#service, [hook.account_key]);
    const { position, isMore, vehicles: added } = await addDeliveries(this.#service, this.#events, hook, viewer);
    if (position > hook.position) await this.#lease.update({ position });
    // An event that was added may be earlier than those that are due.
    if (isMore || added.size > 0) return true;
    for (const delivery of due) if (!arranged.has(delivery.vehicle_key)) this.#start({ hook, viewer }, delivery);
    if (this.#sending.size > 0 || arranged.size > 0)
      await this.#someEnd(arranged.size > 0 ? LOOK_EVERY_MS : READ_ON_MS);
    return wasSending || due.length > 0 || position > hook.position;
  }

  /** Waits until one of the deliveries in progress ends, for a limited time in milliseconds. */
  async #someEnd(max: number): Promise<void> {
    const timer = new AbortController();
    const later = pause(max, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
    await Promise.race([...this.#sending.values(), later]);
    timer.abort();
  }

  /** The next due delivery of each vehicle without one in progress. */
  async #firstDue(hook: StoredWebhook): Promise<StoredDelivery[]> {
    const now = Date.now();
    for (const [vehicle, until] of this.#waiting) if (until <= now) this.#waiting.delete(vehicle);
    const due = new Map<string, StoredDelivery>();
    while (this.#sending.size + due.size < MAX_SENDING) {
      const first = await this.#firstOfVehicles(hook, [...due.keys()]);
      if (first.length === 0) break;
      for (const delivery of first) {
        const until = dueTime(delivery, now);
        if (until > now) this.#waiting.set(delivery.vehicle_key, until);
        else if (this.#sending.size + due.size < MAX_SENDING) due.set(delivery.vehicle_key, delivery);
      }
    }
    return [...due.values()];
  }

  /** The next delivery of each vehicle that neither waits nor has one in progress, without the given vehicles. */
  async #firstOfVehicles({ key, account_key }: StoredWebhook, known: readonly string[]): Promise<StoredDelivery[]> {
    const others = { $nin: [...this.#sending.keys(), ...this.#waiting.keys(), ...known] };
    const pending = { webhook_key: key, status: 'pending', vehicle_key: others } as const;
    const accessScope = deliveriesAccessScope(this.#service, account_key);
    const found = await WebhookDeliveryStore.find(accessScope, pending).sort({ sequence: 1 }).limit(AT_ONCE);
    return [...new Map(found.toReversed().map((delivery) => [delivery.vehicle_key, delivery])).values()].toReversed();
  }

  #start(sent: Sent, delivery: StoredDelivery): void {
    const { vehicle_key } = delivery;
    const work = this.#send(sent, delivery)
      .catch((error: unknown) => {
        this.#fault ??= error;
        this.#waiting.set(vehicle_key, Date.now() + FAULT_PAUSE_MS);
      })
      .finally(() => this.#sending.delete(vehicle_key));
    this.#sending.set(vehicle_key, work);
  }

  async #send({ hook, viewer }: Sent, delivery: StoredDelivery): Promise<void> {
    const notification = await this.#notificationFor(viewer, delivery);
    if (!notification) return this.#drop(viewer, delivery);
    const { body, user_key } = notification;
    if ((await this.#lease.read()) === null) return;
    const made = await attempt(this.#service, hook, { id: delivery.key, body }, this.#signal);
    // It was the service that ended the request.
    if (made.outcome === 'failed' && this.#signal?.aborted) return;
    const { change, notice, status } = afterAttempt(delivery, made);
    const { timestamp, status_code, response, duration_ms } = made;
    await this.#store(
      delivery,
      { ...change, body, driver_key: user_key },
      { timestamp, status_code, response, duration_ms },
    );
    if (status) await this.#lease.update({ status, notice });
  }

  async #drop(viewer: Caller, delivery: StoredDelivery): Promise<void> {
    await this.#store(delivery, { status: 'dropped', next_attempt: null });
    // An entry that restores the event may have been read while the delivery still counted.
    const { account_key, key } = delivery;
    if (await this.#notificationFor(viewer, delivery))
      await sendAgain(this.#service, account_key, { key, status: 'dropped' });
  }

  async #store(delivery: StoredDelivery, change: object, made?: object): Promise<void> {
    const { account_key, key } = delivery;
    const accessScope = deliveriesAccessScope(this.#service, account_key);
    const attempts = made && { $push: { attempts: { $each: [made], $slice: -MAX_ATTEMPTS } } };
    await WebhookDeliveryStore.updateOne(accessScope, { key, status: 'pending' }, { $set: change, ...attempts });
  }

  #notificationFor(viewer: Caller, delivery: StoredDelivery): Promise<Notification | null> {
    return delivery.deleted ? this.#deletionFor(viewer, delivery) : this.#eventFor(viewer, delivery);
  }

  /** The notification of an event as a caller sees it; null if the caller can no longer see it. */
  async #eventFor(viewer: Caller, { event_key, timestamp }: StoredDelivery): Promise<Notification | null> {
    const [event] = await this.#events.eventsByKey({ service: this.#service, caller: viewer }, [event_key]);
    if (event?.timestamp.getTime() !== timestamp.getTime()) return null;
    return this.#events.notificationOf(this.#service, viewer, event);
  }

  /** The notification that an event no longer exists; null if it exists again, was never sent, or is not for the caller. */
  async #deletionFor(viewer: Caller, delivery: StoredDelivery): Promise<Notification | null> {
    const { account_key, webhook_key, event_key, number, vehicle_key } = delivery;
    const service = this.#service;
    if (!(await this.#events.seesEventsOf(service, viewer, vehicle_key))) return null;
    if ((await this.#events.eventsByKey({ service, caller: ownerOf(delivery) }, [event_key])).length > 0) return null;
    const before = { webhook_key, event_key, number: { $lt: number }, 'attempts.0': { $exists: true } };
    const accessScope = deliveriesAccessScope(service, account_key);
    const sent = await WebhookDeliveryStore.findOne(accessScope, before, 'key');
    return sent && deletionNotificationOf(delivery);
  }
}

/** When a delivery is due, in milliseconds since 1970: now if it was put off, or made, by a clock that was ahead. */
function dueTime({ next_attempt, attempts, created }: StoredDelivery, now: number): number {
  const putOff = attempts.at(-1)?.timestamp ?? created;
  return putOff.getTime() > now + CLOCK_SKEW_MS ? now : (next_attempt?.getTime() ?? now);
}
