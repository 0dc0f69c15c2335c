import { delay } from '../../element/live/pause.ts';
import { RequestError } from '../service/request-error.ts';
import { ask, type ServiceAccess } from '../service/service-request.ts';
import { untilAborted } from '../service/until-aborted.ts';
import { memoryStore } from './memory-store.ts';
import { readRecords, storedOf } from './read-records.ts';
import { CHANGES_QUERY, type ChangesPage, type Kind, OF_VEHICLES, type RecordOf } from './record-fields.ts';
import type { RecordChange, ReplicaState, ReplicaStore, StoredRecord } from './replica-store.ts';

/** Options of a copy that is kept current. */
export interface FollowOptions {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called when changes are stored; with null if they may be any, since the copy was read again, or stored by another process or tab. */
  readonly changed?: (changes: readonly RecordChange[] | null) => void;
  /** Called when the service cannot be reached; the replica tries again by itself. */
  readonly interrupted?: (error: RequestError) => void;
}

/** Size of a page of the log, with which its query costs less than the service allows. */
const FIRST = 800;
/** Seconds for which the service waits for the next change. */
const WAIT_SECONDS = 25;
/** Minimum time between pages of a copy that is current, in milliseconds: what changes meanwhile is on one page. */
const INTERVAL_MS = 1000;

/**
 * Makes an exact copy of what a caller may see: devices, events, groups, places, privacy zones, tags, trips, users, vehicles and
 * visits, kept current by the log of changes.
 *
 * @param store where the copy is kept, with the place in the log; a store belongs to one caller
 */
export function replica(service: ServiceAccess, store: ReplicaStore = memoryStore()): Replica {
  return new Replica(service, store);
}

/** A copy of what a caller may see. */
export class Replica {
  readonly #service: ServiceAccess;
  readonly #store: ReplicaStore;
  /** The place in the log that this object has stored or seen. */
  #cursor: string | null = null;
  /** The page after a cursor, while the one before it is stored. */
  #ahead: { readonly after: string; readonly page: Promise<ChangesPage | null> } | null = null;

  constructor(service: ServiceAccess, store: ReplicaStore) {
    this.#service = service;
    this.#store = store;
  }

  /** Returns a record of the copy. */
  async get<K extends Kind>(kind: K, key: string): Promise<RecordOf<K> | undefined> {
    return (await this.#store.get(kind, key))?.record;
  }

  /** Returns the records of a kind in the copy; of trips, visits and events also those of one vehicle. */
  async list<K extends Kind>(kind: K, vehicleKey?: string): Promise<RecordOf<K>[]> {
    return (await this.#store.list(kind, vehicleKey)).map(({ record }) => record);
  }

  /**
   * Reads what has changed until the copy is current; the first time, or once the stored place in the log is no longer valid,
   * everything.
   *
   * @throws RequestError if the service cannot be reached or rejects the caller
   */
  async sync(signal: AbortSignal = new AbortController().signal): Promise<void> {
    while (await this.#step(signal, 0)) signal.throwIfAborted();
  }

  /**
   * Keeps the copy current until `signal` is aborted.
   *
   * @throws RequestError if the service rejects the caller
   */
  follow({ signal, changed = () => {}, interrupted }: FollowOptions): Promise<void> {
    const attempt = async (worked: () => void) => {
      const next = delay(INTERVAL_MS, signal);
      const hasMore = await this.#step(signal, WAIT_SECONDS, changed);
      worked();
      if (!hasMore) await next;
    };
    return untilAborted(attempt, signal, interrupted);
  }

  /** Stores the next page, or a snapshot if there is none; returns true if there may be more. */
  async #step(signal: AbortSignal, wait: number, changed: FollowOptions['changed'] = () => {}): Promise<boolean> {
    const state = await this.#store.state();
    if (this.#cursor !== null && state?.cursor !== this.#cursor) changed(null);
    this.#cursor = state?.cursor ?? null;
    const page = state && (await this.#page(state.cursor, signal, wait));
    if (!state || !page) {
      this.#cursor = await this.#takeSnapshot(this.#cursor, signal);
      changed(null);
      return true;
    }
    const { end_cursor, has_next_page } = page.page_info;
    const cursor = end_cursor ?? state.cursor;
    if (has_next_page) this.#readAhead(cursor, signal);
    if (cursor === state.cursor && state.isSettled) return has_next_page;
    const changes = await this.#changesOn(page, state, signal);
    const next = { ...state, cursor, isSettled: state.isSettled || !has_next_page };
    const isStored = await this.#store.commit(state.cursor, next, changes);
    if (!isStored) return true;
    this.#cursor = cursor;
    if (changes.length > 0) changed(changes);
    return has_next_page;
  }

  #readAhead(after: string, signal: AbortSignal): void {
    const page = this.#read(after, signal, 0);
    // The step that uses the page rejects.
    page.catch(() => {});
    this.#ahead = { after, page };
  }

  #page(after: string, signal: AbortSignal, wait: number): Promise<ChangesPage | null> {
    const ahead = this.#ahead;
    this.#ahead = null;
    return ahead?.after === after ? ahead.page : this.#read(after, signal, wait);
  }

  /** Reads a page of the log; null if it does not continue from there. */
  async #read(after: string, signal: AbortSignal, wait: number): Promise<ChangesPage | null> {
    try {
      return (await ask<{ changes: ChangesPage }>(this.#service, CHANGES_QUERY, { after, first: FIRST, wait }, signal))
        .changes;
    } catch (error) {
      if (error instanceof RequestError && error.code === 'CURSOR_EXPIRED') return null;
      throw error;
    }
  }

  /**
   * Reads all records, from a place in the log on. Vehicles come before what comes and goes with them: one that is not found
   * appears in the log later.
   *
   * @param before the stored place in the log
   * @returns the place in the log from which to continue
   */
  async #takeSnapshot(before: string | null, signal: AbortSignal): Promise<string> {
    const { changes } = await ask<{ changes: ChangesPage }>(this.#service, CHANGES_QUERY, {}, signal);
    const { kinds, whole_account: isWhole, page_info } = changes;
    const generation = crypto.randomUUID();
    const ofVehicles: readonly Kind[] = OF_VEHICLES;
    for (const kind of [...kinds.filter((one) => !ofVehicles.includes(one)), ...ofVehicles]) {
      if (!kinds.includes(kind)) continue;
      for await (const records of readRecords(this.#service, kind, signal)) await this.#store.add(generation, records);
    }
    const cursor = page_info.end_cursor ?? '';
    await this.#store.commit(before, { generation, cursor, kinds, isWhole, isSettled: false }, []);
    return cursor;
  }

  /** The changes of the copy that the entries of a page mean. */
  async #changesOn({ nodes }: ChangesPage, state: ReplicaState, signal: AbortSignal): Promise<readonly RecordChange[]> {
    const changes = new Map<string, RecordChange>();
    const nameOf = (kind: Kind, key: string) => `${kind} ${key}`;
    const put = (kind: Kind, key: string, stored: StoredRecord | null) =>
      changes.set(nameOf(kind, key), { kind, key, stored });
    for (const node of nodes) {
      const { kind, key, [kind]: record } = node;
      if (kind === 'vehicle') {
        const former = changes.get(nameOf(kind, key)) ?? { stored: await this.#store.get(kind, key) };
        // One that is restricted to groups does not see what happened while the vehicle was in others.
        if (!record || !former.stored || !state.isWhole || !state.isSettled) {
          for (const one of await this.#ofVehicle(key, changes.values())) put(one.kind, one.key, null);
          if (record) for (const one of await this.#readOfVehicle(key, state, signal)) put(one.kind, one.key, one);
        }
      }
      put(kind, key, record ? storedOf(kind, record) : null);
    }
    return [...changes.values()];
  }

  /** Records that come and go with a vehicle, in the copy and in changes to it. */
  async #ofVehicle(vehicleKey: string, changes: Iterable<RecordChange>): Promise<readonly StoredRecord[]> {
    const lists = await Promise.all(OF_VEHICLES.map((kind) => this.#store.list(kind, vehicleKey)));
    const added = [...changes].flatMap(({ stored }) => (stored?.vehicle === vehicleKey ? [stored] : []));
    return [...lists.flat(), ...added];
  }

  /** Reads the records that come and go with a vehicle from the service; nothing if the vehicle is gone, which an entry will report. */
  async #readOfVehicle(
    vehicleKey: string,
    { kinds }: ReplicaState,
    signal: AbortSignal,
  ): Promise<readonly StoredRecord[]> {
    const found: StoredRecord[] = [];
    try {
      for (const kind of OF_VEHICLES.filter((one) => kinds.includes(one)))
        for await (const records of readRecords(this.#service, kind, signal, vehicleKey)) found.push(...records);
    } catch (error) {
      if (!(error instanceof RequestError && error.code === 'NOT_FOUND')) throw error;
    }
    return found;
  }
}
