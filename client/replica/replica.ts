import { delay } from '../../element/live/pause.ts';
import { RequestError } from '../service/request-error.ts';
import { ask, type ServiceAccess } from '../service/service-request.ts';
import { untilAborted } from '../service/until-aborted.ts';
import { memoryStore } from './memory-store.ts';
import { readRecords, storedOf } from './read-records.ts';
import { CHANGES_QUERY, type ChangesPage, type Kind, OF_VEHICLES, type RecordOf } from './record-fields.ts';
import {
  isSameCopy,
  type RecordChange,
  type ReplicaState,
  type ReplicaStore,
  type StoredRecord,
} from './replica-store.ts';

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
/** Minimum number of changes in a row after which a copy is read again, which takes a request for each kind of records at least. */
const LEAST_CHANGES = 10_000;
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
  /** Number of changes read in a row since the copy was last current. */
  #behind = 0;
  readonly #least: number;
  /** Number of changes in a row at which they are compared with the records of the copy. */
  #limit: number;

  constructor(service: ServiceAccess, store: ReplicaStore, least = LEAST_CHANGES) {
    this.#service = service;
    this.#store = store;
    this.#least = least;
    this.#limit = least;
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
   * Reads what has changed until the copy is current; everything the first time, or once the stored place in the log is no
   * longer valid, or if the copy is far behind.
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
    const page = state && !(await this.#isFarBehind()) ? await this.#page(state.cursor, signal, wait) : null;
    if (!state || !page) {
      this.#cursor = await this.#takeSnapshot(state, signal);
      changed(null);
      return true;
    }
    const { end_cursor, has_next_page } = page.page_info;
    const cursor = end_cursor ?? state.cursor;
    if (has_next_page) this.#readAhead(cursor, signal);
    this.#behind = has_next_page ? this.#behind + page.nodes.length : 0;
    if (cursor === state.cursor && (has_next_page || state.settled === cursor)) return has_next_page;
    const changes = await this.#changesOn(page, state, signal);
    const next = { ...state, cursor, settled: has_next_page ? state.settled : cursor };
    const isStored = await this.#store.commit(state, next, changes);
    if (!isStored) return true;
    this.#cursor = cursor;
    if (changes.length > 0) changed(changes);
    return has_next_page;
  }

  /**
   * Returns true once as many changes are read in a row as the copy has records. Entries show the records as they are now, so
   * a snapshot is then no more to read than what has been read, while what is left of the log is unknown.
   */
  async #isFarBehind(): Promise<boolean> {
    if (this.#behind < this.#limit) return false;
    this.#limit = Math.max(this.#least, await this.#store.count());
    return this.#behind >= this.#limit;
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
   * appears in the log later. It replaces the copy, unless another process or tab has replaced it or made it current meanwhile;
   * that some have read on in the log does not matter. If it is interrupted, the log is read on first; if not, until the copy is
   * current: changes may come faster than snapshots are read.
   *
   * @param former the state of the copy to replace
   * @returns the place in the log from which to continue
   */
  async #takeSnapshot(former: ReplicaState | null, signal: AbortSignal): Promise<string> {
    this.#behind = 0;
    const { changes } = await ask<{ changes: ChangesPage }>(this.#service, CHANGES_QUERY, {}, signal);
    const { kinds, whole_account: isWhole, page_info } = changes;
    const generation = crypto.randomUUID();
    const ofVehicles: readonly Kind[] = OF_VEHICLES;
    for (const kind of [...kinds.filter((one) => !ofVehicles.includes(one)), ...ofVehicles]) {
      if (!kinds.includes(kind)) continue;
      for await (const records of readRecords(this.#service, kind, signal)) await this.#store.add(generation, records);
    }
    const cursor = page_info.end_cursor ?? '';
    const next = { generation, cursor, kinds, isWhole, settled: null };
    for (let stored = former; isSameCopy(stored, former); stored = await this.#store.state()) {
      if (await this.#store.commit(stored, next, [])) break;
    }
    this.#behind = Number.NEGATIVE_INFINITY;
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
        if (!record || !former.stored || !state.isWhole || !state.settled) {
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
