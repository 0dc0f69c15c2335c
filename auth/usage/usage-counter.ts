import { addAppRequests, MAX_APP_REQUESTS } from '../../models/usage/app-requests.ts';
import { addUsage } from '../../models/usage/usage.ts';
import { perService, type Service } from '../../models/store/service.ts';
import type { AppRequest } from '../../schema/account/app-request.ts';

import type { Caller } from '../caller.ts';
import type { UsedNames } from './used-names.ts';

/** Maximum number of combinations of a caller that are counted between two writes; others are counted as one. */
const MAX_COMBINATIONS = 100;

/** Requests of a caller and a client that used the same names. */
interface Counted {
  readonly account_key: string | null;
  readonly caller: string;
  readonly client: string;
  readonly used: UsedNames;
  count: number;
  last: number;
}

/** Counts what callers use, and keeps the latest requests of apps. What was counted is written by {@link write}. */
export class UsageCounter {
  readonly #service: Service;
  #counted = new Map<string, Map<string, Counted>>();
  #requests = new Map<string, AppRequest[]>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** Counts a request. */
  count(caller: Caller, client: string, used: UsedNames): void {
    const name = nameOf(caller);
    const account_key = 'account_key' in caller ? caller.account_key : null;
    const owner = `${account_key} ${name}`;
    const combinations = this.#counted.get(owner) ?? new Map<string, Counted>();
    this.#counted.set(owner, combinations);
    const key = `${client} ${used.hash}`;
    const known = combinations.get(key);
    const last = this.#service.now();
    if (known) Object.assign(known, { count: known.count + 1, last });
    else if (combinations.size < MAX_COMBINATIONS)
      combinations.set(key, { account_key, caller: name, client, used, count: 1, last });
    else this.#countTogether(combinations, { account_key, caller: name, client: '', used, count: 1, last });
  }

  /** Keeps a request of an app. */
  note(client_id: string, request: AppRequest): void {
    const requests = this.#requests.get(client_id) ?? [];
    this.#requests.set(client_id, requests);
    requests.push(request);
    if (requests.length > MAX_APP_REQUESTS * 2) requests.splice(0, requests.length - MAX_APP_REQUESTS);
  }

  /** Writes what was counted since the last time; if that fails, it is written the next time. */
  async write(): Promise<void> {
    await Promise.all([this.#writeCounted(), this.#writeRequests()]);
  }

  #countTogether(combinations: Map<string, Counted>, { used, ...one }: Counted): void {
    const others = combinations.get('others');
    const together = others ? others.used.with(used.names) : used;
    combinations.set('others', { ...one, used: together, count: (others?.count ?? 0) + 1 });
  }

  async #writeCounted(): Promise<void> {
    const counted = [...this.#counted.values()].flatMap((combinations) => [...combinations.values()]);
    this.#counted = new Map();
    if (counted.length === 0) return;
    try {
      await addUsage(this.#service, counted.map(toStored));
    } catch (error) {
      for (const one of counted) this.#restore(one);
      throw error;
    }
  }

  #restore({ used, client, ...counted }: Counted): void {
    const owner = `${counted.account_key} ${counted.caller}`;
    const combinations = this.#counted.get(owner) ?? new Map<string, Counted>();
    this.#counted.set(owner, combinations);
    const key = `${client} ${used.hash}`;
    const known = combinations.get(key);
    combinations.set(key, { ...counted, client, used, count: counted.count + (known?.count ?? 0) });
  }

  async #writeRequests(): Promise<void> {
    const noted = [...this.#requests];
    this.#requests = new Map();
    if (noted.length > 0) await addAppRequests(this.#service, noted);
  }
}

/** The counter of a service. */
export const usageOf = perService((service) => new UsageCounter(service));

function toStored({ used, last, ...counted }: Counted) {
  return { ...counted, hash: used.hash, names: used.names, last: new Date(last) };
}

/** Names a caller within its account, without what only some of its requests have. */
function nameOf(caller: Caller): string {
  switch (caller.kind) {
    case 'app':
    case 'embed':
      return `${caller.kind} ${caller.client_id}`;
    case 'owner':
      return caller.api_key === undefined ? 'key' : `key ${caller.api_key}`;
    default:
      return caller.kind;
  }
}
