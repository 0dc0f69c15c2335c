import { randomUUID } from 'node:crypto';

import { onPermissionsChangedHere } from '../../models/store/permission-stamp.ts';
import { makeMessages, sendMessage } from '../../models/server-messages.ts';

import { onEntries } from '../changes/on-change.ts';
import { onStoredPositions } from '../../tracking/recording/position-notices.ts';
import type { Service } from '../../models/store/service.ts';

/** Minimum time between messages, so that simultaneous changes share one; in milliseconds. */
const MESSAGE_EVERY_MS = 100;
/** Time after which a database without support for messages is checked again, in milliseconds. */
const ASK_AGAIN_MS = 60_000;
/** Maximum number of vehicles in a message; a full one is sent immediately. */
const MAX_VEHICLES = 1000;

/** Messages of this process to other servers, about entries, positions and permissions that it has stored. */
export class ServerMessages {
  readonly #service: Service;
  readonly sender = randomUUID();
  readonly #onFault: (error: unknown) => void;
  readonly #stopListening: readonly (() => void)[];
  readonly #logs = new Set<string>();
  readonly #moved = new Map<string, Set<string>>();
  #vehicles = 0;
  #changesPermissions = false;
  #possible: { readonly answer: Promise<boolean>; readonly asked: number } | null = null;
  #sentAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  /** @param onFault called with the error; other servers find the changes when they poll */
  constructor(service: Service, onFault: (error: unknown) => void) {
    this.#service = service;
    this.#onFault = onFault;
    this.#stopListening = [
      onEntries(service, (account_key) => {
        this.#logs.add(account_key);
        this.#sendSoon();
      }),
      onStoredPositions(service, (account_key, vehicle_keys) => this.#add(account_key, vehicle_keys)),
      onPermissionsChangedHere(service, () => {
        this.#changesPermissions = true;
        this.#sendSoon();
      }),
    ];
  }

  /** Sends an empty message; returns false if the database does not support messages. */
  async greet(): Promise<boolean> {
    const isPossible = await this.#readIsPossible();
    if (isPossible) await sendMessage(this.#service, this.sender);
    return isPossible;
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sentAt = Date.now();
    const news = {
      log_account_keys: [...this.#logs],
      moved: [...this.#moved].map(([account_key, keys]) => ({ account_key, vehicle_keys: [...keys] })),
      changes_permissions: this.#changesPermissions,
    };
    this.#logs.clear();
    this.#moved.clear();
    this.#vehicles = 0;
    this.#changesPermissions = false;
    if (await this.#readIsPossible()) await sendMessage(this.#service, this.sender, news);
  }

  /** Sends pending messages. */
  async close(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    if (this.#timer) this.#sendNow();
    await this.#sending;
  }

  /** Makes the next message check the database again: it may have been replaced, as by a restore. */
  askAgain(): void {
    this.#possible = null;
  }

  async #readIsPossible(): Promise<boolean> {
    const known = this.#possible ?? { answer: makeMessages(this.#service), asked: Date.now() };
    this.#possible = known;
    try {
      const isPossible = await known.answer;
      // The database may have been failing over.
      if (!isPossible && Date.now() > known.asked + ASK_AGAIN_MS) this.#possible = null;
      return isPossible;
    } catch (error) {
      this.#possible = null;
      throw error;
    }
  }

  #add(account_key: string, vehicle_keys: readonly string[]): void {
    if (vehicle_keys.length === 0) return;
    const known = this.#moved.get(account_key) ?? new Set();
    this.#moved.set(account_key, known);
    const before = known.size;
    for (const key of vehicle_keys) known.add(key);
    this.#vehicles += known.size - before;
    if (this.#vehicles >= MAX_VEHICLES) this.#sendNow();
    else this.#sendSoon();
  }

  #sendSoon(): void {
    const wait = Math.max(0, this.#sentAt + MESSAGE_EVERY_MS - Date.now());
    this.#timer ??= setTimeout(() => this.#sendNow(), Math.min(wait, MESSAGE_EVERY_MS)).unref();
  }

  #sendNow(): void {
    const sent = this.#send().catch(this.#onFault);
    this.#sending = Promise.all([this.#sending, sent]).then(() => undefined);
  }
}
